import {
  Alarm,
  AlarmRule,
  AlarmState,
  ComparisonOperator,
  CompositeAlarm,
  type IAlarmAction,
  type IMetric,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { Duration } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { alarmDescription, type Severity } from "./alarm.ts";

export interface BurnRateAlarmsProps {
  readonly deployment: string;
  readonly heading: string;
  readonly badPercent: (period: Duration) => IMetric;
  /** This percentage of requests may fail in 30 days. */
  readonly budgetPercent: number;
  readonly action: IAlarmAction;
}

/**
 * The long period shows that a failure matters, the short one that it continues.
 *
 * Source: https://sre.google/workbook/alerting-on-slos/
 */
const rates = [
  { name: "fast", severity: "critical", times: 14.4, long: Duration.hours(1), short: Duration.minutes(5) },
  { name: "slow", severity: "warning", times: 6, long: Duration.hours(6), short: Duration.minutes(30) },
] as const satisfies readonly { readonly severity: Severity; [field: string]: unknown }[];

export class BurnRateAlarms extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { deployment, heading, badPercent, budgetPercent, action }: BurnRateAlarmsProps,
  ) {
    super(scope, id);
    for (const { name, severity, times, long, short } of rates) {
      const isAbove = ([length, period]: readonly [string, Duration]) =>
        AlarmRule.fromAlarm(
          new Alarm(this, `${name}-${length}`, {
            metric: badPercent(period),
            threshold: Number((times * budgetPercent).toFixed(3)),
            comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
            evaluationPeriods: 1,
            treatMissingData: TreatMissingData.NOT_BREACHING,
            alarmDescription: `Tells nobody: a part of "${heading}" (${name}), deployment ${deployment}.`,
          }),
          AlarmState.ALARM,
        );
      const both = new CompositeAlarm(this, name, {
        alarmRule: AlarmRule.allOf(...Object.entries({ long, short }).map(isAbove)),
        alarmDescription: alarmDescription({ severity, deployment, heading, subject: name }),
      });
      both.addAlarmAction(action);
      both.addOkAction(action);
    }
  }
}
