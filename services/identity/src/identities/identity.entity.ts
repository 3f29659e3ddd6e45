import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A user as one identity provider knows them. */
@Entity('identities')
export class IdentityEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  provider!: string;

  /** The provider's name for the person; the e-mail if the provider changes the name with each sign-in. */
  @Column('text', { name: 'name_id' })
  nameId!: string;

  /** In lower case. */
  @Column('text')
  email!: string;

  @Column('text')
  name!: string;

  @Column('timestamptz', { name: 'first_sign_in' })
  firstSignIn!: Date;

  @Column('timestamptz', { name: 'last_sign_in' })
  lastSignIn!: Date;
}
