import { describe, expect, it } from "vitest";
import { tableGrants } from "../../infra/table-grants.ts";
import { grantsOf, makeServiceApp, resourceOf, resourcesOf, templatesOf } from "./synthesize.ts";

const kmsKeyArn = "arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab";
const { data, service, operations } = templatesOf(
  makeServiceApp({ kmsKeyArn, canaries: true, webSocketAccessLogs: true }),
);
const own = templatesOf(makeServiceApp());

describe("a key of the customer's", () => {
  it("encrypts the table, the bucket and the deployment's own secrets", () => {
    expect(resourceOf(data, "AWS::DynamoDB::Table").Properties.SSESpecification).toEqual({
      SSEEnabled: true,
      SSEType: "KMS",
      KMSMasterKeyId: kmsKeyArn,
    });
    const [rule] = resourceOf(data, "AWS::S3::Bucket").Properties.BucketEncryption
      .ServerSideEncryptionConfiguration;
    expect(rule).toEqual({
      BucketKeyEnabled: true,
      ServerSideEncryptionByDefault: { SSEAlgorithm: "aws:kms", KMSMasterKeyID: kmsKeyArn },
    });
    const secrets = resourcesOf(data, "AWS::SecretsManager::Secret");
    expect(secrets.map(({ Properties }) => Properties.KmsKeyId)).toEqual(secrets.map(() => kmsKeyArn));
  });

  it("encrypts the customers' secrets, wherever they are made", () => {
    const named = resourcesOf(service, "AWS::Lambda::Function").filter(
      ({ Properties }) => Properties.Environment.Variables.SECRETS_KMS_KEY === kmsKeyArn,
    );
    expect(named).toHaveLength(4);
  });

  it.each([
    ["logs", "AWS::Logs::LogGroup", "KmsKeyId"],
    ["queues", "AWS::SQS::Queue", "KmsMasterKeyId"],
    ["topics", "AWS::SNS::Topic", "KmsMasterKeyId"],
  ])("encrypts all %s", (_, type, property) => {
    const found = [data, service, operations].flatMap((template) => resourcesOf(template, type));
    expect(found.length).toBeGreaterThan(0);
    expect(found.map(({ Properties }) => Properties[property])).toEqual(found.map(() => kmsKeyArn));
    expect(found.filter(({ Properties }) => Properties.SqsManagedSseEnabled === true)).toEqual([]);
  });

  it("encrypts the state of executions, of a new version of their functions", () => {
    const durable = (template: typeof service) =>
      resourcesOf(template, "AWS::Lambda::Function").flatMap(
        ({ Properties }) => Properties.DurableConfig ?? [],
      );
    expect(durable(service).map(({ KMSKeyArn }) => KMSKeyArn)).toEqual([kmsKeyArn, kmsKeyArn]);
    expect(durable(own.service).filter((config) => "KMSKeyArn" in config)).toEqual([]);
    const versions = (template: typeof service) =>
      Object.keys(template.Resources).filter((id) =>
        /^(executor|webhookdeliverer)FunctionCurrentVersion/.test(id),
      );
    expect(versions(service)).toHaveLength(2);
    expect(versions(service).filter((id) => versions(own.service).includes(id))).toEqual([]);
  });

  it("encrypts nothing else, as DEPLOY.md says, of what keeps something", () => {
    const kept = [
      "Bucket",
      "Backup",
      "EventBus",
      "KMS",
      "Kinesis",
      "LogGroup",
      "Queue",
      "Secret",
      "SSM",
      "Table",
      "Topic",
    ];
    const types = [data, service, operations].flatMap((template) =>
      Object.values(template.Resources)
        .filter(({ Properties }) => !JSON.stringify(Properties ?? {}).includes(kmsKeyArn))
        .map(({ Type }) => Type)
        .filter((type) => kept.some((word) => type.includes(word)) && !/Policy$/.test(type)),
    );
    // The bucket is the canary's.
    expect([...new Set(types)].sort()).toEqual([
      "AWS::Events::EventBus",
      "AWS::S3::Bucket",
      "AWS::SSM::Parameter",
    ]);
  });

  it("is used by what uses the table, through the services that it encrypts for and not by itself", () => {
    const using = grantsOf(service).flatMap(({ name, statements }) =>
      statements
        .filter(({ Resource }) => Resource === kmsKeyArn)
        .map(({ Condition }) => ({ name, Condition })),
    );
    expect(using.map(({ name }) => name).sort()).toEqual(
      Object.keys(tableGrants)
        .map((name) => name.replaceAll("-", ""))
        .sort(),
    );
    for (const { Condition } of using) {
      const services = JSON.stringify(Condition).match(/"[a-z0-9]+\./g);
      expect(JSON.stringify(Condition)).toContain("kms:ViaService");
      expect(services).toEqual(['"dynamodb.', '"lambda.', '"s3.', '"secretsmanager.', '"sqs.']);
    }
  });

  it("is used by whoever sends to a queue, or starts, reads or continues an execution", () => {
    const needing = /"(sqs:SendMessage|lambda:InvokeFunction|lambda:\w*Durable\w*)"/;
    const found = grantsOf(service).filter(({ statements }) => needing.test(JSON.stringify(statements)));
    expect(found.length).toBeGreaterThan(7);
    const without = found.filter(
      ({ statements }) => !statements.some(({ Resource }) => Resource === kmsKeyArn),
    );
    expect(without.map(({ name }) => name)).toEqual([]);
  });

  it("is none by default", () => {
    expect(JSON.stringify([own.data, own.service, own.operations])).not.toMatch(/kms/i);
  });
});
