export const runHere = typesOf({
  ApiGatewayV2: "Api ApiMapping Integration Route Stage",
  CloudFront: "Distribution",
  DynamoDB: "GlobalTable Table",
  Events: "EventBus Rule",
  IAM: "ManagedPolicy Policy Role",
  Lambda: "Alias EventInvokeConfig EventSourceMapping Function Permission Version",
  S3: "Bucket",
  SQS: "Queue",
  Scheduler: "Schedule",
  SecretsManager: "Secret",
});

/** These types do not affect the service's responses; resource policies are not enforced. */
export const withoutEffectHere = typesOf({
  ApiGateway: "Account",
  ApiGatewayV2: "DomainName",
  Budgets: "Budget",
  CDK: "Metadata",
  CE: "AnomalySubscription",
  CertificateManager: "Certificate",
  CodeDeploy: "Application DeploymentGroup",
  CloudWatch: "Alarm CompositeAlarm Dashboard",
  KMS: "Key",
  Logs: "LogGroup MetricFilter QueryDefinition",
  Route53: "RecordSet",
  S3: "BucketPolicy",
  SNS: "Subscription Topic TopicPolicy",
  SQS: "QueuePolicy",
  SSM: "Parameter",
  Synthetics: "Canary",
  WAFv2: "WebACL",
});

function typesOf(services: Readonly<Record<string, string>>): ReadonlySet<string> {
  return new Set(
    Object.entries(services).flatMap(([service, types]) =>
      types.split(" ").map((type) => `AWS::${service}::${type}`),
    ),
  );
}
