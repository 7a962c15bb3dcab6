import {
  Alarm,
  AlarmRule,
  AlarmState,
  ComparisonOperator,
  CompositeAlarm,
  type IAlarmAction,
  Stats,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { Duration } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { hasShare } from "../../concurrency.ts";
import { alarmDescription, ServiceAlarm } from "./alarm.ts";
import { sumOfSparse } from "./service-metric.ts";
import type { Watched } from "./watched.ts";

export interface ThrottleAlarmsProps {
  readonly watched: Watched;
  readonly deployment: string;
  readonly action: IAlarmAction;
}

const heading = "Function throttles";

const period = Duration.minutes(1);

const lasting = { evaluationPeriods: 5, datapointsToAlarm: 2 };

/** Source: https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-limits.html */
const metricsPerAlarm = 10;

/** A function with a share is throttled by itself, the others by what they have in common: one alarm for all of them. */
export class ThrottleAlarms extends Construct {
  constructor(scope: Construct, id: string, { watched, deployment, action }: ThrottleAlarmsProps) {
    super(scope, id);
    const throttles = (name: string) =>
      watched.functionMetric(name, "Throttles", { period, statistic: Stats.SUM });
    const names = Object.keys(watched.functions);
    for (const subject of names.filter(hasShare)) {
      new ServiceAlarm(this, subject, {
        severity: "critical",
        deployment,
        heading,
        subject,
        metric: throttles(subject),
        ...lasting,
        action,
      });
    }
    const others = names.filter((name) => !hasShare(name));
    const parts: Alarm[] = [];
    while (others.length > 0) {
      const metrics = Object.fromEntries(
        others.splice(0, metricsPerAlarm).map((name, at) => [`f${at}`, throttles(name)]),
      );
      parts.push(
        new Alarm(this, `others-${parts.length}`, {
          metric: sumOfSparse("throttles", period, metrics),
          threshold: 0,
          comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
          treatMissingData: TreatMissingData.NOT_BREACHING,
          ...lasting,
          alarmDescription: `Tells nobody: a part of "${heading}" (others), deployment ${deployment}.`,
        }),
      );
    }
    const any = new CompositeAlarm(this, "others", {
      alarmRule: AlarmRule.anyOf(...parts.map((part) => AlarmRule.fromAlarm(part, AlarmState.ALARM))),
      alarmDescription: alarmDescription({ severity: "critical", deployment, heading, subject: "others" }),
    });
    any.addAlarmAction(action);
    any.addOkAction(action);
  }
}
