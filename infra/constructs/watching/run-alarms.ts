import { type IAlarmAction, MathExpression, Stats } from "aws-cdk-lib/aws-cloudwatch";
import { Duration } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { type CoveredProvider, coveredProviders } from "../../../shared/vocabulary/providers.ts";
import { ServiceAlarm } from "./alarm.ts";
import { serviceMetric } from "./service-metric.ts";

export interface RunAlarmsProps {
  readonly deployment: string;
  readonly action: IAlarmAction;
}

const period = Duration.minutes(5);

/** Fewer failures are not a meaningful share: one run whose provider hangs alarms nobody. */
const failuresMin = 5;

const failedPercentMax = 30;

/** These alarms tell that runs do not go on although all parts of the service work. */
export class RunAlarms extends Construct {
  constructor(scope: Construct, id: string, { deployment, action }: RunAlarmsProps) {
    super(scope, id);
    for (const provider of Object.values(coveredProviders).flat()) {
      new ServiceAlarm(this, `provider-${provider}`, {
        severity: "critical",
        deployment,
        heading: "Providers failing",
        subject: provider,
        metric: failedPercent(deployment, provider),
        threshold: failedPercentMax,
        evaluationPeriods: 3,
        datapointsToAlarm: 2,
        action,
      });
    }
    new ServiceAlarm(this, "service-limit", {
      severity: "warning",
      deployment,
      heading: "Service limit reached",
      // A share of the places would miss small deployments, where one place that is free for a moment is much.
      metric: serviceMetric({
        deployment,
        name: "service_organizations_in_line",
        period,
        statistic: Stats.MINIMUM,
      }),
      evaluationPeriods: 3,
      action,
    });
  }
}

/** Failures of keys and models' names, which are the organizations' own, do not count. */
function failedPercent(deployment: string, provider: CoveredProvider): MathExpression {
  const of = { deployment, provider, period };
  return new MathExpression({
    expression: `IF(failures >= ${failuresMin}, 100 * failures / steps, 0)`,
    usingMetrics: {
      failures: serviceMetric({ ...of, name: "model_failures" }),
      steps: serviceMetric({ ...of, name: "model_failures", statistic: Stats.SAMPLE_COUNT }),
    },
    period,
    label: "% of steps",
  });
}
