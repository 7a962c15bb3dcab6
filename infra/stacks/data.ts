import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { FilesBucket } from "../constructs/files-bucket.ts";
import { SigningKey } from "../constructs/signing-key.ts";
import { SingleTable } from "../constructs/single-table.ts";

/**
 * What must outlive every deployment. The logical ids never change: with another one CloudFormation would make a
 * new, empty table and leave the old one behind.
 */
export const dataLogicalIds = { table: "Table", files: "Files", signingKey: "SigningKey" } as const;

/** The table, the bucket and the signing key. Deleting the stack leaves table and bucket in the account. */
export class DataStack extends Stack {
  readonly table: SingleTable;
  readonly files: FilesBucket;
  readonly signingKey: SigningKey;

  constructor(scope: Construct, id: string, props: StackProps) {
    super(scope, id, props);
    this.table = new SingleTable(this, "SingleTable", dataLogicalIds.table);
    this.files = new FilesBucket(this, "FilesBucket", dataLogicalIds.files);
    this.signingKey = new SigningKey(this, "Signing", dataLogicalIds.signingKey);
    const outputs = {
      TableName: this.table.table.tableName,
      BucketName: this.files.bucket.bucketName,
      SigningKeyArn: this.signingKey.secret.secretArn,
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}
