import type { IKey } from "aws-cdk-lib/aws-kms";
import { Secret, type SecretProps } from "aws-cdk-lib/aws-secretsmanager";
import { Validations } from "aws-cdk-lib/core";
import type { Construct } from "constructs";

export interface KeySecretProps extends Pick<SecretProps, "removalPolicy"> {
  /** @default the key that Secrets Manager manages */
  readonly encryptionKey?: IKey | undefined;
  readonly description: string;
  /** The text explains why no rotation function is used. */
  readonly rotation: string;
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
