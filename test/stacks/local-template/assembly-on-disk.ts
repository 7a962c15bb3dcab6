import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type StackOnDisk = {
  readonly template: object;
  /** Object key -> path in the assembly. */
  readonly assets?: Readonly<Record<string, string>>;
};

/** Writes a cloud assembly as `cdk synth` does, and gives its folder. */
export function assemblyOnDisk(stacks: Readonly<Record<string, StackOnDisk>>): string {
  const folder = mkdtempSync(join(tmpdir(), "local-template-"));
  const write = (name: string, content: object): void => {
    writeFileSync(join(folder, name), JSON.stringify(content));
  };
  const artifacts: Record<string, object> = { Tree: { type: "cdk:tree", properties: { file: "tree.json" } } };
  for (const [name, stack] of Object.entries(stacks)) {
    write(`${name}.template.json`, stack.template);
    write(`${name}.assets.json`, {
      files: Object.fromEntries(
        Object.entries(stack.assets ?? {}).map(([objectKey, path]) => {
          mkdirSync(join(folder, path), { recursive: true });
          return [objectKey, { source: { path, packaging: "zip" }, destinations: { here: { objectKey } } }];
        }),
      ),
    });
    artifacts[`${name}.assets`] = { type: "cdk:asset-manifest", properties: { file: `${name}.assets.json` } };
    artifacts[name] = {
      type: "aws:cloudformation:stack",
      environment: "aws://unknown-account/unknown-region",
      properties: { templateFile: `${name}.template.json` },
    };
  }
  write("manifest.json", { version: "48.0.0", artifacts });
  return folder;
}
