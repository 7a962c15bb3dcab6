import type { IKey } from "aws-cdk-lib/aws-kms";
import type { CfnSecret, Secret } from "aws-cdk-lib/aws-secretsmanager";
import { Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import type { ServiceFunction } from "../service-function.ts";
import { createKeySecret } from "./key-secret.ts";

export interface SigningKeyProps {
  readonly logicalId: string;
  readonly description: string;
  readonly variable: string;
  readonly encryptionKey?: IKey | undefined;
}

/** AWSCURRENT and AWSPREVIOUS verify, so a new value (`put-secret-value`) leaves no gap. */
export class SigningKey extends Construct {
  readonly secret: Secret;
  readonly #arn: string;
  readonly #variable: string;

  constructor(
    scope: Construct,
    id: string,
    { logicalId, description, variable, encryptionKey }: SigningKeyProps,
  ) {
    super(scope, id);
    this.#variable = variable;
    this.secret = createKeySecret(this, "Secret", {
      description,
      encryptionKey,
      rotation:
        "Rotated by put-secret-value (RUNBOOK.md): a rotation function would be one more reader of the key.",
    });
    (this.secret.node.defaultChild as CfnSecret).overrideLogicalId(logicalId);
    this.#arn = Stack.of(this).exportValue(this.secret.secretArn);
  }

  bindRead(fn: ServiceFunction): void {
    fn.allow({ actions: ["secretsmanager:GetSecretValue"], resources: [this.#arn] });
    fn.set(this.#variable, this.#arn);
  }
}
