import type { Plugin } from "esbuild";
import { toolSchemas } from "../../shared/contract/assistant/tool-schemas.ts";
import { calledOperations } from "../../shared/contract/operations/called-operations.ts";

const values: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "called-operations.ts": { calledOperations },
  "tool-schemas.ts": { toolSchemas },
};

/** Without it a bundle with the client would have the schemas of all operations, and one with tools what makes JSON Schemas. */
export const contractAsData: Plugin = {
  name: "contract-as-data",
  setup(plugin) {
    for (const [file, exported] of Object.entries(values)) {
      const contents = Object.entries(exported)
        .map(
          ([name, value]) => `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(value))});`,
        )
        .join("\n");
      const filter = new RegExp(`[\\\\/]shared[\\\\/]contract[\\\\/]\\w+[\\\\/]${file.replace(".", "\\.")}$`);
      plugin.onLoad({ filter }, () => ({ contents }));
    }
  },
};
