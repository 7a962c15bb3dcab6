import {
  Alarm,
  ComparisonOperator,
  type IAlarmAction,
  type IMetric,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import type { Construct } from "constructs";

/** `critical`: customers are affected, look now. `warning`: they will be, look today. */
export type Severity = "critical" | "warning";

/** The words for the operator who is called. */
interface Saying {
  readonly severity: Severity;
  /** The heading in RUNBOOK.md that says what to do. */
  readonly heading: string;
  /** The subject, when one heading serves several alarms: a function's name. */
  readonly subject?: string;
}

export function alarmDescription({ severity, heading, subject }: Saying): string {
  const about = subject === undefined ? "" : ` (${subject})`;
  return `${severity}: ${heading}${about}. See infra/RUNBOOK.md, "${heading}".`;
}

export interface ServiceAlarmProps extends Saying {
  readonly metric: IMetric;
  /** Alarms above this, or below when `alarmsBelow`. */
  readonly threshold: number;
  readonly alarmsBelow?: boolean;
  /** The number of the metric's periods. @default 1 */
  readonly evaluationPeriods?: number;
  /** @default evaluationPeriods */
  readonly datapointsToAlarm?: number;
  /** Whether silence is a sign of trouble. @default false */
  readonly alarmsWhenMissing?: boolean;
  readonly action: IAlarmAction;
}

/** An alarm with its severity and its heading in the runbook; it also notifies when it is over. */
export class ServiceAlarm extends Alarm {
  constructor(scope: Construct, id: string, props: ServiceAlarmProps) {
    const evaluationPeriods = props.evaluationPeriods ?? 1;
    super(scope, id, {
      metric: props.metric,
      threshold: props.threshold,
      comparisonOperator: props.alarmsBelow
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods,
      datapointsToAlarm: props.datapointsToAlarm ?? evaluationPeriods,
      treatMissingData: props.alarmsWhenMissing ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      alarmDescription: alarmDescription(props),
    });
    this.addAlarmAction(props.action);
    this.addOkAction(props.action);
  }
}
