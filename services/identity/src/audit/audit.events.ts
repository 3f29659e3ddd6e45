import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EventConsumer } from '@warren/platform/events/event.consumer';
import { AuditService } from './audit.service.ts';

/** Records audit events of other services. */
@Injectable()
export class AuditEvents implements OnModuleInit {
  constructor(
    private readonly events: EventConsumer,
    private readonly audit: AuditService,
  ) {}

  onModuleInit(): void {
    this.events.on('updateWindowChanged', ({ id }, { accountName, by, window }) =>
      this.audit.record({ id, action: 'update_window_changed', actor: by, detail: `${accountName}: ${window}` }),
    );
    this.events.on('savedFilterChanged', ({ id }, { accountName, by, change }) =>
      this.audit.record({ id, action: 'saved_filter_changed', actor: by, detail: `${accountName}: ${change}` }),
    );
    this.events.on('bulkJobChanged', ({ id }, { jobId, by, change }) =>
      this.audit.record({ id, action: 'bulk_job_changed', actor: by, detail: `${jobId}: ${change}` }),
    );
    this.events.on('channelChanged', ({ id }, { accountName, by, change }) =>
      this.audit.record({ id, action: 'channel_changed', actor: by, detail: `${accountName}: ${change}` }),
    );
    this.events.on('alertRuleChanged', ({ id }, { accountName, by, change }) =>
      this.audit.record({ id, action: 'alert_rule_changed', actor: by, detail: `${accountName}: ${change}` }),
    );
    this.events.on('alertsAcknowledged', ({ id }, { accountName, by, change }) =>
      this.audit.record({ id, action: 'alerts_acknowledged', actor: by, detail: `${accountName}: ${change}` }),
    );
    this.events.on('alertSilenceChanged', ({ id }, { accountName, by, change }) =>
      this.audit.record({ id, action: 'alert_silence_changed', actor: by, detail: `${accountName}: ${change}` }),
    );
    this.events.on('quotasChanged', ({ id }, { accountName, by, change }) =>
      this.audit.record({ id, action: 'quotas_changed', actor: by, detail: `${accountName}: ${change}` }),
    );
  }
}
