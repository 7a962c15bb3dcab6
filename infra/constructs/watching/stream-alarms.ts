import { type IAlarmAction, type IMetric, MathExpression, Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import { Duration } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { ServiceAlarm } from "./alarm.ts";
import { serviceMetric } from "./service-metric.ts";
import { tableMetric, type Watched } from "./watched.ts";

export interface StreamAlarmsProps {
  readonly watched: Watched;
  readonly deployment: string;
  readonly action: IAlarmAction;
}

const period = Duration.minutes(5);

/** Some 50 machines that are merely connected write this many units in five minutes, apart from failed conditions. */
const unitsMin = 100;

export class StreamAlarms extends Construct {
  constructor(scope: Construct, id: string, { watched, deployment, action }: StreamAlarmsProps) {
    super(scope, id);
    const { parts, data } = watched;
    const readers = { projector: parts.projectorMapping, matcher: parts.matcherMapping };
    for (const [subject, mappingId] of Object.entries(readers)) {
      const events = (metricName: string) => eventCount(mappingId, metricName);
      new ServiceAlarm(this, `${subject}-silent`, {
        severity: "critical",
        deployment,
        heading: "Stream silent",
        subject,
        metric: new MathExpression({
          expression: `IF(written >= ${unitsMin} AND FILL(handed, 0) + FILL(filtered, 0) == 0, 1, 0)`,
          usingMetrics: {
            written: tableMetric(data.tableName, "ConsumedWriteCapacityUnits", {
              period,
              statistic: Stats.SUM,
            }),
            handed: events("InvokedEventCount"),
            filtered: events("FilteredOutEventCount"),
          },
          period,
          label: "written, and nothing handed over",
        }),
        threshold: 0,
        evaluationPeriods: 3,
        action,
      });
      new ServiceAlarm(this, `${subject}-dropped`, {
        severity: "critical",
        deployment,
        heading: "Records dropped",
        subject,
        metric: events("DroppedEventCount"),
        threshold: 0,
        action,
      });
    }
    new ServiceAlarm(this, "matching-left-over", {
      severity: "warning",
      deployment,
      heading: "Matching left over",
      metric: serviceMetric({ deployment, name: "matching_left_over", period }),
      // Matcher and sweeper both find a few when a machine becomes free.
      threshold: 5,
      evaluationPeriods: 3,
      datapointsToAlarm: 2,
      action,
    });
  }
}

/** Source: https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html */
function eventCount(mappingId: string, metricName: string): IMetric {
  return new Metric({
    namespace: "AWS/Lambda",
    metricName,
    dimensionsMap: { EventSourceMappingUUID: mappingId },
    period,
    statistic: Stats.SUM,
  });
}
