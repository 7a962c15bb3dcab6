import type { IKey } from "aws-cdk-lib/aws-kms";
import type { CfnSecret, Secret } from "aws-cdk-lib/aws-secretsmanager";
import { RemovalPolicy, Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import type { ServiceFunction } from "../service-function.ts";
import { createKeySecret } from "./key-secret.ts";

/** The value is JSON `{"key": "<64 characters>"}`, with the earlier keys after a rotation. */
export class DataKey extends Construct {
  readonly secret: Secret;
  readonly #arn: string;

  constructor(
    scope: Construct,
    id: string,
    { logicalId, encryptionKey }: { readonly logicalId: string; readonly encryptionKey?: IKey | undefined },
  ) {
    super(scope, id);
    this.secret = createKeySecret(this, "Secret", {
      description: "Encrypts what lies in the table.",
      encryptionKey,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      rotation: "Rotated by hand (RUNBOOK.md): a rotation function would be one more reader of the key.",
    });
    (this.secret.node.defaultChild as CfnSecret).overrideLogicalId(logicalId);
    this.#arn = Stack.of(this).exportValue(this.secret.secretArn);
  }

  bindRead(fn: ServiceFunction): void {
    fn.allow({ actions: ["secretsmanager:GetSecretValue"], resources: [this.#arn] });
    fn.set("DATA_KEY_SECRET", this.#arn);
  }
}
