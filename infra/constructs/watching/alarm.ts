import {
  Alarm,
  ComparisonOperator,
  type IAlarmAction,
  type IMetric,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import type { Construct } from "constructs";

/** `critical` affects customers now, `warning` will affect them soon. */
export type Severity = "critical" | "warning";

interface Saying {
  readonly severity: Severity;
  /** The person who is paged looks after several. */
  readonly deployment: string;
  /** The heading is in RUNBOOK.md. */
  readonly heading: string;
  readonly subject?: string;
}

export function alarmDescription({ severity, deployment, heading, subject }: Saying): string {
  const about = subject === undefined ? "" : ` (${subject})`;
  return `${severity}: ${heading}${about}, deployment ${deployment}. See infra/RUNBOOK.md, "${heading}".`;
}

export interface ServiceAlarmProps extends Saying {
  readonly metric: IMetric;
  /** The alarm is raised by a value above the threshold, or with `alarmsBelow` by one below it. @default 0 */
  readonly threshold?: number;
  readonly alarmsBelow?: boolean;
  /** @default 1 */
  readonly evaluationPeriods?: number;
  /** @default evaluationPeriods */
  readonly datapointsToAlarm?: number;
  /** @default false */
  readonly alarmsWhenMissing?: boolean;
  readonly action: IAlarmAction;
}

export class ServiceAlarm extends Alarm {
  constructor(scope: Construct, id: string, props: ServiceAlarmProps) {
    const evaluationPeriods = props.evaluationPeriods ?? 1;
    super(scope, id, {
      metric: props.metric,
      threshold: props.threshold ?? 0,
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
