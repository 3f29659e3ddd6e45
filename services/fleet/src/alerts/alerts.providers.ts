import { AlertAccounts } from './accounts/alert.accounts.ts';
import { AlertsRpc } from './alerts.rpc.ts';
import { AlertSight } from './list/alert.sight.ts';
import { AlertsService } from './list/alerts.service.ts';
import { Expressions } from './expressions/expressions.ts';
import { AlertPass } from './pass/alert.pass.ts';
import { DeviceMatcher } from './matching/device.matcher.ts';
import { RuleSettler } from './pass/rule.settler.ts';
import { RulePreview } from './rules/rule.preview.ts';
import { AlertRulesService } from './rules/rules.service.ts';
import { SavedFilters } from './saved/saved.filters.ts';
import { Silencer } from './silences/silencer.ts';
import { SilencesService } from './silences/silences.service.ts';
import { AlertTrend } from './trends/alert.trend.ts';
import { DiskTrends } from './trends/disk.trends.ts';

/** All that alerts are made of. */
export const ALERTS = [
  AlertAccounts,
  AlertPass,
  AlertRulesService,
  AlertSight,
  AlertTrend,
  AlertsRpc,
  AlertsService,
  DeviceMatcher,
  DiskTrends,
  Expressions,
  RulePreview,
  RuleSettler,
  SavedFilters,
  Silencer,
  SilencesService,
];
