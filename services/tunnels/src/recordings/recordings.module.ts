import { Module } from '@nestjs/common';
import { LinksModule } from '../links/links.module.ts';
import { Announcements } from './announcements.ts';
import { RecordedTerminals } from './recorded.terminals.ts';
import { RecordingEndpoint } from './recording.endpoint.ts';

/** Recordings: which terminals are to be recorded, and their streams to recorders. */
@Module({
  imports: [LinksModule],
  providers: [Announcements, RecordedTerminals, RecordingEndpoint],
  exports: [RecordedTerminals, RecordingEndpoint],
})
export class RecordingsModule {}
