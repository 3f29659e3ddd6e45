import {
  DashboardBuilder,
  DashboardCursorSync,
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  VariableRefresh,
  VariableSort,
  type Dashboard,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { ReduceDataOptionsBuilder } from '@grafana/grafana-foundation-sdk/common';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/timeseries';

/** A series of a panel: its PromQL and legend. */
interface Line {
  expr: string;
  legend: string;
  /** Why a healthy installation may have no data. */
  emptyWhen?: string;
}

interface Panel {
  title: string;
  /** Its meaning in one sentence. */
  about: string;
  /** Of Grafana: `short`, `s`, `Bps`, `percentunit`, `reqps`, `bytes`. */
  unit: string;
  lines: Line[];
  /** Shows a number instead of a graph. */
  stat?: boolean;
}

export interface Board {
  /** Name of the file, and of the URL in Grafana. */
  uid: string;
  title: string;
  about: string;
  panels: Panel[];
}

const SOURCE = { type: 'prometheus', uid: '${datasource}' };
const WIDTH = 8;
const HEIGHT = 8;
const ROW = 24;

const lastValue = new ReduceDataOptionsBuilder().calcs(['lastNotNull']);

/** Text of a panel without data in a healthy installation, instead of Grafana's "No data". */
function whyEmpty({ lines }: Panel): string | undefined {
  const [first] = lines;
  if (!first?.emptyWhen || !lines.every(({ emptyWhen }) => emptyWhen)) return undefined;
  return first.emptyWhen.charAt(0).toUpperCase() + first.emptyWhen.slice(1);
}

function drawn(panel: Panel, index: number) {
  const builder = panel.stat ? new StatBuilder().reduceOptions(lastValue) : new PanelBuilder().fillOpacity(8).min(0);
  const at = { x: (index * WIDTH) % ROW, y: Math.floor((index * WIDTH) / ROW) * HEIGHT, w: WIDTH, h: HEIGHT };
  builder.title(panel.title).description(panel.about).unit(panel.unit).datasource(SOURCE).gridPos(at);
  const empty = whyEmpty(panel);
  if (empty) builder.noValue(empty);
  panel.lines.forEach(({ expr, legend }, place) =>
    builder.withTarget(
      new DataqueryBuilder()
        .refId(String.fromCharCode(65 + place))
        .expr(expr)
        .legendFormat(legend)
        .datasource(SOURCE),
    ),
  );
  return builder;
}

/** Selects one installation, as figures of several would add up. Empty for series without the label. */
function choice(label: string, title: string, series: string) {
  return new QueryVariableBuilder(label)
    .label(title)
    .query(`label_values(${series}, ${label})`)
    .datasource(SOURCE)
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .sort(VariableSort.AlphabeticalAsc)
    .multi(false)
    .includeAll(false);
}

/** Builds a dashboard for import into Grafana, where its data source and installation are chosen. */
export function dashboardOf({ uid, title, about, panels }: Board): Dashboard {
  const builder = new DashboardBuilder(title)
    .uid(uid)
    .description(about)
    .tags(['warren'])
    .timezone('browser')
    .refresh('30s')
    .time({ from: 'now-6h', to: 'now' })
    .tooltip(DashboardCursorSync.Crosshair)
    .withVariable(new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus'))
    .withVariable(choice('namespace', 'Namespace', 'warren_build_info'))
    .withVariable(choice('release', 'Release', 'warren_build_info{namespace="$namespace"}'));
  panels.forEach((panel, index) => builder.withPanel(drawn(panel, index)));
  return builder.build();
}
