import { createHash } from "node:crypto";
import { Lazy, type Stack } from "aws-cdk-lib/core";

/**
 * A digest of other stacks' templates, for one that reads their outputs by weak references: CloudFormation resolves those
 * when it updates the reader, and the CDK updates none whose own template is as before.
 *
 * Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-getstackoutput.html
 */
export function templateDigest(...stacks: readonly Stack[]): string {
  return Lazy.string({
    produce: () => {
      const digest = createHash("sha256");
      for (const stack of stacks) digest.update(JSON.stringify(stack.resolve(templateOf(stack))));
      return digest.digest("hex").slice(0, 16);
    },
  });
}

/** Returns a stack's template, once all references are made; the CDK's types leave it out. */
function templateOf(stack: Stack): unknown {
  return (stack as unknown as { _toCloudFormation(): unknown })._toCloudFormation();
}
