/** Types that the local stack runs. */
export const runHere: ReadonlySet<string> = new Set([
  "AWS::ApiGatewayV2::Api",
  "AWS::ApiGatewayV2::ApiMapping",
  "AWS::ApiGatewayV2::Integration",
  "AWS::ApiGatewayV2::Route",
  "AWS::ApiGatewayV2::Stage",
  "AWS::CloudFront::Distribution",
  "AWS::DynamoDB::GlobalTable",
  "AWS::DynamoDB::Table",
  "AWS::Events::EventBus",
  "AWS::Events::Rule",
  "AWS::IAM::ManagedPolicy",
  "AWS::IAM::Policy",
  "AWS::IAM::Role",
  "AWS::Lambda::Alias",
  "AWS::Lambda::EventInvokeConfig",
  "AWS::Lambda::EventSourceMapping",
  "AWS::Lambda::Function",
  "AWS::Lambda::Permission",
  "AWS::Lambda::Version",
  "AWS::S3::Bucket",
  "AWS::SQS::Queue",
  "AWS::Scheduler::Schedule",
  "AWS::SecretsManager::Secret",
]);

/**
 * Types without a part in the service's responses: watching, addresses that only exist on AWS, encryption at
 * rest, and policies of resources (roles are enforced, resource policies are not).
 */
export const withoutEffectHere: ReadonlySet<string> = new Set([
  "AWS::ApiGateway::Account",
  "AWS::ApiGatewayV2::DomainName",
  "AWS::CDK::Metadata",
  "AWS::CertificateManager::Certificate",
  "AWS::CodeDeploy::Application",
  "AWS::CodeDeploy::DeploymentGroup",
  "AWS::CloudWatch::Alarm",
  "AWS::CloudWatch::CompositeAlarm",
  "AWS::CloudWatch::Dashboard",
  "AWS::KMS::Key",
  "AWS::Logs::LogGroup",
  "AWS::Logs::MetricFilter",
  "AWS::Route53::RecordSet",
  "AWS::S3::BucketPolicy",
  "AWS::SNS::Subscription",
  "AWS::SNS::Topic",
  "AWS::SNS::TopicPolicy",
  "AWS::SQS::QueuePolicy",
  "AWS::Synthetics::Canary",
  "AWS::WAFv2::WebACL",
]);
