import { LambdaClient } from "@aws-sdk/client-lambda";
import { runProgram, say } from "../operator/run-program.ts";
import { listVersionUses, removeVersion } from "./unused-versions.ts";

const usage = `Removes versions of the executor that nobody runs.

  npm run versions -- prune --function NAME          says what it would remove
  npm run versions -- prune --function NAME --yes    removes it

Each deployment that changes the executor publishes a version, and keeps those before it: runs under way go on with
the one that they began on. One that no alias names and that has no open executions is used by nobody.

  --function NAME     the output executorFunctionName of the service stack
  --region REGION     the Region; AWS_REGION otherwise
`;

await runProgram({
  usage,
  options: { function: { type: "string" }, region: { type: "string" }, yes: { type: "boolean" } },
  takesWords: true,
  async run({ values, positionals }) {
    const [verb, ...others] = positionals;
    if (verb !== "prune" || others.length > 0)
      throw new Error(`there is no ${positionals.join(" ")}, only prune`);
    const { function: functionName, region } = values;
    if (functionName === undefined || functionName === "") throw new Error("--function says whose versions");
    const client = new LambdaClient(region === undefined ? {} : { region });
    try {
      for (const { version, use } of await listVersionUses(client, functionName)) {
        if (use === "unused" && values.yes === true) {
          await removeVersion(client, functionName, version);
          say(`${version}: removed`);
        } else say(`${version}: ${use}${use === "unused" ? ", --yes removes it" : ""}`);
      }
    } finally {
      client.destroy();
    }
  },
});
