import type { IKey } from "aws-cdk-lib/aws-kms";
import { type CfnSecret, Secret, type SecretProps } from "aws-cdk-lib/aws-secretsmanager";
import { Stack, Validations } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import type { ServiceFunction } from "../service-function.ts";

interface KeySecretProps extends Pick<SecretProps, "removalPolicy"> {
  /** @default the key that Secrets Manager manages */
  readonly encryptionKey?: IKey | undefined;
  readonly description: string;
  /** The text explains why no rotation function is used. */
  readonly rotation: string;
}

export interface ServiceKeyProps extends KeySecretProps {
  readonly logicalId: string;
  readonly variable: string;
}

/** No template contains the key; the value is JSON `{"key": "<64 characters>"}`. */
export function createKeySecret(
  scope: Construct,
  id: string,
  { rotation, encryptionKey, ...props }: KeySecretProps,
): Secret {
  const secret = new Secret(scope, id, {
    ...props,
    ...(encryptionKey && { encryptionKey }),
    generateSecretString: {
      secretStringTemplate: "{}",
      generateStringKey: "key",
      passwordLength: 64,
      excludePunctuation: true,
    },
  });
  Validations.of(secret).acknowledge({ id: "AwsSolutions-SMG4", reason: rotation });
  return secret;
}

/** After a rotation, AWSPREVIOUS or the value itself keeps the earlier keys. */
export class ServiceKey extends Construct {
  readonly secret: Secret;
  readonly #arn: string;
  readonly #variable: string;

  constructor(scope: Construct, id: string, { logicalId, variable, ...props }: ServiceKeyProps) {
    super(scope, id);
    this.#variable = variable;
    this.secret = createKeySecret(this, "Secret", props);
    (this.secret.node.defaultChild as CfnSecret).overrideLogicalId(logicalId);
    this.#arn = Stack.of(this).exportValue(this.secret.secretArn);
  }

  bindRead(fn: ServiceFunction): void {
    fn.allow({ actions: ["secretsmanager:GetSecretValue"], resources: [this.#arn] });
    fn.set(this.#variable, this.#arn);
  }
}
