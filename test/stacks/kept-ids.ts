import type { templatesOf } from "./synthesize.ts";

export interface KeptIds {
  readonly stack: keyof ReturnType<typeof templatesOf>;
  readonly type: string;
  /** The sentence says what would happen. */
  readonly loss: string;
  readonly ids: readonly string[];
}

/**
 * The logical ids whose change would lose data or a name: CloudFormation creates another resource and removes this one.
 * All resources of these types are listed. An id is changed on purpose only where a release moves what it holds.
 */
export const keptIds: readonly KeptIds[] = [
  {
    stack: "data",
    type: "AWS::DynamoDB::Table",
    loss: "the service would be on a new, empty table, and the customers' data in one that no stack has",
    ids: ["Table"],
  },
  {
    stack: "data",
    type: "AWS::S3::Bucket",
    loss: "files, pictures and bodies would be in a bucket that the service does not read",
    ids: ["Files"],
  },
  {
    stack: "data",
    type: "AWS::SecretsManager::Secret",
    loss: "connection tokens and idempotency records would be refused, and what the data key encrypted be lost",
    ids: ["TunnelKey", "IdempotencyKey", "DataKey"],
  },
  {
    stack: "data",
    type: "AWS::Events::EventBus",
    loss: "a bus can have its name once only: the second is refused, and without the name rules would go with the first",
    ids: ["Events"],
  },
  {
    stack: "service",
    type: "AWS::ApiGatewayV2::Api",
    loss: "the addresses that programs call and drivers dial would be others, and connections be closed",
    ids: ["OperationsApi851FCCC6", "TunnelApi26FBFDF8"],
  },
  {
    stack: "service",
    type: "AWS::ApiGatewayV2::DomainName",
    loss: "a host name can be of one domain only: the second is refused, and so is the release",
    ids: ["OperationsApiCustomDomainDomainNameDC604E01", "TunnelApiCustomDomainDomainName358795A9"],
  },
  {
    stack: "service",
    type: "AWS::Route53::RecordSet",
    loss: "a host name can have one record only: the second is refused, and so is the release",
    ids: ["OperationsApiCustomDomainAlias129E50AA", "TunnelApiCustomDomainAliasBF9BD957"],
  },
  {
    stack: "service",
    type: "AWS::CloudFront::Distribution",
    loss: "a host name can be of one distribution only: the second is refused, and so is the release",
    ids: ["EdgeDistribution0060737B"],
  },
  {
    stack: "service",
    type: "AWS::SecretsManager::Secret",
    loss: "the distribution would send a secret that functions do not know until it is deployed everywhere",
    ids: ["EdgeOriginSecretC4CB396E"],
  },
  {
    stack: "service",
    type: "AWS::ApiGateway::Account",
    loss: "the Region's log role would be set by two resources",
    ids: ["TunnelApiRegionAccount7B1922B1"],
  },
  {
    stack: "service",
    type: "AWS::SQS::Queue",
    loss: "records that were set aside and wait for a replay would be lost",
    ids: [
      "ProjectionsFailures9D0A1DDF",
      "MatchesFailuresB68A8679",
      "webhookdelivererDeadLettersA53DC4DF",
      "executorDeadLettersEFFDFA0C",
    ],
  },
  {
    stack: "service",
    type: "AWS::Lambda::EventSourceMapping",
    loss: "the stream's last 24 hours would be read again, and their events sent twice",
    ids: ["ProjectionsMappingB815A820", "MatchesMappingA08A1D5C"],
  },
  {
    stack: "operations",
    type: "AWS::SNS::Topic",
    loss: "subscriptions would be gone, and alarms reach nobody",
    ids: ["AlarmTopicD01E77F9"],
  },
  {
    stack: "operations",
    type: "AWS::Backup::BackupVault",
    loss: "the backups of 35 days would be in a vault that no stack has",
    ids: ["BackupsVault1F11AFCC"],
  },
  {
    stack: "operations",
    type: "AWS::KMS::Key",
    loss: "the vault cannot change its key, so it would be replaced",
    ids: ["BackupsKeyC696F888"],
  },
  {
    stack: "operations",
    type: "AWS::S3::Bucket",
    loss: "the canary's logs would be in a bucket that no stack has",
    ids: ["CanaryArtifacts7ADD0D0B"],
  },
  {
    stack: "service",
    type: "AWS::Lambda::Function",
    loss: "executions of runs and deliveries under way would end with their function, and callers get another at once",
    ids: [
      "healthFunction7E2A437F",
      "machinehealthFunction9FCA11BB",
      "machinesFunction9C3F6680",
      "computerFunction5D371D68",
      "driverFunction034D95A1",
      "connectionsFunction0B0E90EF",
      "poolsFunction60354CC0",
      "providercredentialsFunctionF9B9AB19",
      "workflowsFunction1C2ADA17",
      "workflowtagsFunctionD14E656F",
      "modelconfigurationsFunction6FF7703D",
      "apikeysFunction02A23E03",
      "runsFunction4AA67BCD",
      "schedulesFunctionEBB8319A",
      "followingFunction7B307AB1",
      "runattachmentsFunctionAF0119FC",
      "trajectoriesFunction87347094",
      "logsFunction72964E52",
      "consoleFunction903044CE",
      "docsFunctionAAA9A696",
      "tunnelFunction9349F8AC",
      "sweeperFunctionF926A87D",
      "projectorFunctionB6B514A1",
      "matcherFunction811DCC71",
      "webhooksFunction61E4EB99",
      "webhookdelivererFunction7BE3D083",
      "executorFunction41F6AFEB",
      "executionswatchFunctionBA643976",
    ],
  },
  {
    stack: "service",
    type: "AWS::Logs::LogGroup",
    loss: "the logs until then would be removed",
    ids: [
      "OperationsApiAccessLogE8EA4088",
      "TunnelApiAccessLog32E803A4",
      "healthLogsE48FA139",
      "machinehealthLogs8029D418",
      "machinesLogs21094366",
      "computerLogsA421E3A8",
      "driverLogsCBEBD778",
      "connectionsLogsDC0182D0",
      "poolsLogsED45AC9A",
      "providercredentialsLogs69C4867B",
      "workflowsLogsDB489ABE",
      "workflowtagsLogs0BB01A89",
      "modelconfigurationsLogsCC207704",
      "apikeysLogs1475906B",
      "runsLogs6A2E18D2",
      "schedulesLogs604242D9",
      "followingLogs4D9D6B23",
      "runattachmentsLogsAD4D51A5",
      "trajectoriesLogs9ED5CF68",
      "logsLogsB8C37846",
      "consoleLogs260EC0E0",
      "docsLogs809BE046",
      "tunnelLogs4E5ABAA4",
      "sweeperLogs34E21DFF",
      "projectorLogs043F582F",
      "matcherLogs6B9B9F19",
      "webhooksLogsB18D2D4C",
      "webhookdelivererLogsB6326F1B",
      "executorLogs3827F2F6",
      "executionswatchLogs97894F41",
    ],
  },
];
