import { Code, type CodeConfig } from "aws-cdk-lib/aws-lambda";
import { type FileAssetLocation, type FileAssetSource, Lazy, Stack } from "aws-cdk-lib/core";
import type { Construct } from "constructs";

/**
 * The code of a function that is made before its bundle is: an asset of the CDK's needs the bundle at once, and
 * copies it.
 */
export class LaterCode extends Code {
  #stack: Stack | undefined;
  #location: FileAssetLocation | undefined;

  override bind(scope: Construct): CodeConfig {
    this.#stack = Stack.of(scope);
    return {
      s3Location: {
        bucketName: Lazy.string({ produce: () => this.#location?.bucketName }),
        objectKey: Lazy.string({ produce: () => this.#location?.objectKey }),
      },
    };
  }

  /** @param source lies in the assembly already, so that the CDK copies nothing. */
  place(source: FileAssetSource): void {
    this.#location = this.#stack?.synthesizer.addFileAsset(source);
  }
}
