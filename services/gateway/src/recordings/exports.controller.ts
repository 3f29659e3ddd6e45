import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Controller, Get, Param, Query, StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@warren/platform/rpc/caller';
import type { StartExportResponse } from '@warren/proto/audit/v1/recordings';
import type { RecordingFormat } from '@warren/rules/recordings/settings';
import { CurrentCaller, CurrentSession } from '../auth/caller.decorator.ts';
import { DescribeContent } from '../http/api.decorators.ts';
import { idSchema } from '../http/schemas.ts';
import type { SignedIn } from '../http/signed-in.request.ts';
import { RecordingExports } from './recording.exports.ts';
import { exportRecordingQuery, type ExportRecordingQuery } from './recording.schemas.ts';

const TYPES = { asciicast: 'application/x-asciicast', text: 'text/plain; charset=utf-8' } as const;
const ENDINGS = { asciicast: 'cast', text: 'txt' } as const;

/** Recordings as files. */
@ApiTags('recordings')
@Controller('api/recordings')
export class RecordingExportsController {
  constructor(private readonly exports: RecordingExports) {}

  @Get(':id/export')
  @DescribeContent({
    summary: 'Exports the recording of a terminal as asciicast v2 or as text.',
    description:
      "SuperAdmins; owners and admins for their account. Desktops can't be exported (400). What the account redacts is masked. Two exports of a person run at a time. The export is an event.",
    content: {
      'application/x-asciicast': '{"version":2,"width":80,"height":24}\n[0.5,"o","max@raspberrypi:~$ "]\n',
      'text/plain': 'max@raspberrypi:~$ uptime\n',
    },
    errors: [404, 409],
  })
  async exportRecording(
    @CurrentCaller() caller: Caller,
    @CurrentSession() signedIn: SignedIn,
    @Param('id', { schema: idSchema }) id: string,
    @Query({ schema: exportRecordingQuery }) { format }: ExportRecordingQuery,
  ) {
    const { file, ...started } = await this.exports.start({ caller, signedIn }, { id, format });
    return new StreamableFile(file, {
      type: TYPES[format],
      disposition: `attachment; filename="${nameOf(started, format)}"`,
    });
  }
}

/** `pump-7-2026-01-31T08-15-30.cast`: names of devices may have any character, file names in a header may not. */
function nameOf({ deviceName, started }: Pick<StartExportResponse, 'deviceName' | 'started'>, format: RecordingFormat) {
  const time = (started ? timestampDate(started) : new Date(0)).toISOString().slice(0, 19).replaceAll(':', '-');
  return `${deviceName.replaceAll(/[^\w.-]+/g, '-').slice(0, 60) || 'recording'}-${time}.${ENDINGS[format]}`;
}
