import { CfnBudget } from "aws-cdk-lib/aws-budgets";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import { Construct } from "constructs";

export interface CostBudgetProps {
  readonly monthlyUsd: number;
  readonly topic: ITopic;
}

const warnings = [
  { notificationType: "ACTUAL", threshold: 50 },
  { notificationType: "ACTUAL", threshold: 100 },
  { notificationType: "FORECASTED", threshold: 100 },
] as const;

/**
 * The whole account's costs: those of a tag count only once it is a cost allocation tag, and are nothing until then.
 *
 * Source: https://docs.aws.amazon.com/cost-management/latest/userguide/budgets-managing-costs.html
 */
export class CostBudget extends Construct {
  constructor(scope: Construct, id: string, { monthlyUsd, topic }: CostBudgetProps) {
    super(scope, id);
    const budget = new CfnBudget(this, "Budget", {
      budget: {
        budgetType: "COST",
        timeUnit: "MONTHLY",
        budgetLimit: { amount: monthlyUsd, unit: "USD" },
      },
      notificationsWithSubscribers: warnings.map(({ notificationType, threshold }) => ({
        notification: {
          notificationType,
          threshold,
          thresholdType: "PERCENTAGE",
          comparisonOperator: "GREATER_THAN",
        },
        subscribers: [{ subscriptionType: "SNS", address: topic.topicArn }],
      })),
    });
    // AWS Budgets needs the topic's policy by then.
    budget.node.addDependency(topic);
  }
}
