import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A person's picture, as a WebP image. */
@Entity('pictures')
export class PictureEntity {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId!: string;

  @Column('bytea')
  content!: Buffer;
}
