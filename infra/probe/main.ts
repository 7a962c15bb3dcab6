import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { openSession } from "../operator/aws-session.ts";
import { runProgram, say } from "../operator/run-program.ts";
import { conclusionOf, tableOf } from "./conclusion.ts";
import { probeStackName } from "./probe-stack.ts";
import { runProbe } from "./run-probe.ts";

const usage = `Shows whether AWS judges the service's access to its table as its roles expect, before it is deployed.

  npm run deploy:probe

With credentials and a Region as for the AWS command line, in an account that has been bootstrapped. It deploys the stack
${probeStackName} (one function, one table), has the function try each form of access under a role with the service's
condition on leading keys, says which setting to choose, and removes the stack, also when it fails or is interrupted.
`;

const projectFolder = fileURLToPath(new URL("../..", import.meta.url));
const outputsFile = fileURLToPath(new URL("../../.build/probe/outputs.json", import.meta.url));
const cdkProgram = fileURLToPath(new URL("../../node_modules/aws-cdk/bin/cdk", import.meta.url));
let running: ChildProcess | undefined;

await runProgram({
  usage,
  options: {},
  needsArguments: false,
  async run() {
    const lambda = new LambdaClient({ maxAttempts: 1 });
    try {
      say(`probing in ${await openSession(lambda)}, which takes some minutes`);
      // An interruption ends the CDK's command line alone, and the stack is removed next. A terminal sends it to both.
      process.on("SIGINT", () => undefined);
      process.on("SIGTERM", () => running?.kill());
      mkdirSync(dirname(outputsFile), { recursive: true });
      const results = await runProbe({
        cdk: runCdk,
        readJson: (file) => JSON.parse(readFileSync(file, "utf8")),
        lambda,
        outputsFile,
      });
      for (const line of tableOf(results)) say(line);
      const { sentence, isEnforceable } = conclusionOf(results);
      say(sentence);
      if (!isEnforceable) process.exitCode = 1;
    } finally {
      lambda.destroy();
    }
  },
});

async function runCdk(args: readonly string[]): Promise<number> {
  running = spawn(process.execPath, [cdkProgram, ...args], { cwd: projectFolder, stdio: "inherit" });
  const [code] = (await once(running, "exit")) as [number | null];
  return code ?? 1;
}
