import { createHash } from "node:crypto";
import { Lazy, type Stack } from "aws-cdk-lib/core";

/** The CDK does not update a stack whose own template is unchanged, so its weak references would stay outdated. */
export function templateDigest(...stacks: readonly Stack[]): string {
  return Lazy.string({
    produce: () => {
      const digest = createHash("sha256");
      for (const stack of stacks) digest.update(JSON.stringify(stack.resolve(templateOf(stack))));
      return digest.digest("hex").slice(0, 16);
    },
  });
}

/** The CDK's types omit this method. */
function templateOf(stack: Stack): unknown {
  return (stack as unknown as { _toCloudFormation(): unknown })._toCloudFormation();
}
