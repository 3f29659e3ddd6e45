import { Module } from '@nestjs/common';
import { LinksModule } from '../links/links.module.ts';
import { Announcements } from './announcements.ts';
import { RecordedDesktops } from './recorded.desktops.ts';
import { RecordedSources } from './recorded.sources.ts';
import { RecordedTerminals } from './recorded.terminals.ts';
import { RecordingEndpoint } from './recording.endpoint.ts';

/** Recordings: which sessions are to be recorded, and their streams to recorders. */
@Module({
  imports: [LinksModule],
  providers: [Announcements, RecordedDesktops, RecordedSources, RecordedTerminals, RecordingEndpoint],
  exports: [RecordedDesktops, RecordedSources, RecordedTerminals, RecordingEndpoint],
})
export class RecordingsModule {}
