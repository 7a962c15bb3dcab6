import * as z from "zod";
import type { ResolvedResource } from "../../../infra/local/template/stack-resolver.ts";
import { evaluateMath } from "./metric-math.ts";
import type { MetricFilter, MetricId, Metrics } from "./metrics.ts";

const Dimensions = z.array(z.object({ Name: z.string(), Value: z.string() })).default([]);
const MetricOf = z.object({ Namespace: z.string(), MetricName: z.string(), Dimensions });
const Alarm = z.object({
  AlarmDescription: z.string(),
  AlarmActions: z.array(z.string()).default([]),
  ComparisonOperator: z.enum(["GreaterThanThreshold", "LessThanThreshold"]),
  EvaluationPeriods: z.number(),
  DatapointsToAlarm: z.number().optional(),
  Threshold: z.number(),
  TreatMissingData: z.enum(["breaching", "notBreaching"]),
  Period: z.number().optional(),
  Statistic: z.string().optional(),
  ...MetricOf.partial().shape,
  Dimensions,
  Metrics: z
    .array(
      z.object({
        Id: z.string(),
        Expression: z.string().optional(),
        ReturnData: z.boolean().default(true),
        MetricStat: z.object({ Metric: MetricOf, Period: z.number(), Stat: z.string() }).optional(),
      }),
    )
    .default([]),
});
const Composite = z.object({
  AlarmDescription: z.string(),
  AlarmActions: z.array(z.string()).default([]),
  AlarmRule: z.string(),
});
const Filter = z.object({
  LogGroupName: z.string(),
  FilterPattern: z.string(),
  MetricTransformations: z.tuple([
    z.object({ MetricNamespace: z.string(), MetricName: z.string(), MetricValue: z.literal("1") }),
  ]),
});

interface Read {
  readonly id: string;
  readonly metric: MetricId;
  readonly statistic: string;
  readonly minutes: number;
}

interface SimpleAlarm {
  readonly arn: string;
  readonly reads: readonly Read[];
  readonly fires: (metrics: Metrics, minute: number) => boolean;
}

export interface WatchedAlarm {
  readonly description: string;
  /** True if it is in alarm in any of these minutes. */
  readonly rings: (metrics: Metrics, minutes: readonly number[]) => boolean;
}

/** The alarms of a resolved template that tell somebody, and the filters that make metrics of log lines. */
export function readAlarms(resources: readonly ResolvedResource[]) {
  const ofType = (type: string) => resources.filter((each) => each.type === `AWS::${type}`);
  const simple = new Map(
    ofType("CloudWatch::Alarm").map((resource) => {
      const alarm = Alarm.parse(resource.properties);
      return [String(resource.attribute("Arn")), { alarm, ...simpleAlarm(resource, alarm) }];
    }),
  );
  const told: WatchedAlarm[] = [...simple.values()]
    .filter(({ alarm }) => alarm.AlarmActions.length > 0)
    .map((each) => ({
      description: each.alarm.AlarmDescription,
      rings: (metrics, minutes) =>
        isTouched(each, metrics) && minutes.some((minute) => each.fires(metrics, minute)),
    }));
  const composites = ofType("CloudWatch::CompositeAlarm").map(({ properties }): WatchedAlarm => {
    const { AlarmDescription: description, AlarmRule } = Composite.parse(properties);
    const [parts, isAll] = readRule(AlarmRule, simple);
    const rings = (metrics: Metrics, minutes: readonly number[]) =>
      parts.some((part) => isTouched(part, metrics)) &&
      minutes.some((minute) => {
        const firing = parts.filter((part) => part.fires(metrics, minute)).length;
        return isAll ? firing === parts.length : firing > 0;
      });
    return { description, rings };
  });
  const filters = ofType("Logs::MetricFilter").map(({ properties }): MetricFilter => {
    const {
      LogGroupName: logGroup,
      FilterPattern: pattern,
      MetricTransformations,
    } = Filter.parse(properties);
    const [{ MetricNamespace: namespace, MetricName: name }] = MetricTransformations;
    return { logGroup, pattern, namespace, name };
  });
  return { alarms: [...told, ...composites], filters };
}

/** An alarm whose metrics nothing has changed is as quiet as in the base. */
function isTouched({ reads }: SimpleAlarm, metrics: Metrics): boolean {
  return reads.some(({ metric }) => metrics.changes(metric));
}

/** A rule is one kind of ALARM(…), joined by AND or by OR. */
function readRule<Part>(rule: string, parts: ReadonlyMap<string, Part>): readonly [readonly Part[], boolean] {
  const isAll = rule.includes(" AND ");
  const named = [...rule.matchAll(/ALARM\("([^"]+)"\)/g)].map(([, arn = ""]) => {
    const part = parts.get(arn);
    if (part === undefined) throw new Error(`a composite alarm names ${arn}, which is none`);
    return part;
  });
  const joined = named.map(() => "ALARM").join(isAll ? " AND " : " OR ");
  if (rule.replaceAll(/ALARM\("[^"]+"\)/g, "ALARM").replaceAll(/[()]/g, "") !== joined)
    throw new Error(`the evaluator does not know the rule ${rule}`);
  return [named, isAll];
}

function simpleAlarm(resource: ResolvedResource, alarm: z.output<typeof Alarm>): SimpleAlarm {
  const reads = readsOf(alarm);
  const expression = alarm.Metrics.find(({ ReturnData }) => ReturnData)?.Expression;
  const minutes = Math.max(...reads.map((each) => each.minutes));
  const needed = alarm.DatapointsToAlarm ?? alarm.EvaluationPeriods;
  const pointAt = (metrics: Metrics, end: number) => {
    const values = reads.map(
      (each) => [each.id, metrics.statistic(each.metric, each.statistic, end, each.minutes)] as const,
    );
    return expression === undefined ? values[0]?.[1] : evaluateMath(expression, new Map(values));
  };
  const breaches = (point: number | undefined) => {
    if (point === undefined) return alarm.TreatMissingData === "breaching";
    return alarm.ComparisonOperator === "GreaterThanThreshold"
      ? point > alarm.Threshold
      : point < alarm.Threshold;
  };
  const fires = (metrics: Metrics, minute: number) => {
    const ends = Array.from({ length: alarm.EvaluationPeriods }, (_, back) => minute - back * minutes);
    return ends.filter((end) => breaches(pointAt(metrics, end))).length >= needed;
  };
  return { arn: String(resource.attribute("Arn")), reads, fires };
}

function readsOf(alarm: z.output<typeof Alarm>): Read[] {
  const own = {
    Metric: {
      Namespace: alarm.Namespace ?? "",
      MetricName: alarm.MetricName ?? "",
      Dimensions: alarm.Dimensions,
    },
    Period: alarm.Period ?? 0,
    Stat: alarm.Statistic ?? "",
  };
  const queried = alarm.Metrics.flatMap(({ Id, MetricStat }) => (MetricStat ? [{ Id, MetricStat }] : []));
  return (alarm.Metrics.length > 0 ? queried : [{ Id: "own", MetricStat: own }]).map(
    ({ Id, MetricStat }) => ({
      id: Id,
      metric: {
        namespace: MetricStat.Metric.Namespace,
        name: MetricStat.Metric.MetricName,
        dimensions: Object.fromEntries(MetricStat.Metric.Dimensions.map(({ Name, Value }) => [Name, Value])),
      },
      statistic: MetricStat.Stat,
      minutes: MetricStat.Period / 60,
    }),
  );
}
