import { describe, expect, it } from "vitest";
import { tableGrants } from "../../infra/table-grants.ts";
import { grantsOf, makeServiceApp, resourceOf, resourcesOf, templatesOf } from "./synthesize.ts";

const kmsKeyArn = "arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab";
const { data, service } = templatesOf(makeServiceApp({ kmsKeyArn }));
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
    for (const { Condition } of using) expect(JSON.stringify(Condition)).toContain("kms:ViaService");
  });

  it("is none by default", () => {
    expect(JSON.stringify([own.data, own.service])).not.toMatch(/kms/i);
  });
});
