import type { IKey } from "aws-cdk-lib/aws-kms";
import { Secret, type SecretProps } from "aws-cdk-lib/aws-secretsmanager";
import { Validations } from "aws-cdk-lib/core";
import type { Construct } from "constructs";

export interface KeySecretProps extends Pick<SecretProps, "removalPolicy"> {
  /** @default the one that Secrets Manager manages */
  readonly encryptionKey?: IKey | undefined;
  /** Says to people what the key is for. */
  readonly description: string;
  /** Why no rotation function does it. */
  readonly rotation: string;
}

/** A secret that holds a key which no template does: JSON `{"key": "<64 characters>"}`. */
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
