import { runProgram, say } from "../operator/run-program.ts";
import { checkDeployment } from "./check-deployment.ts";
import { readWanted } from "./wanted.ts";

const usage = `Says what this account and Region lack for a deployment, and changes nothing.

  npm run deploy:check
  npm run deploy:check -- -c deployment=staging

With credentials and a Region as for the AWS command line. It reads the settings in cdk.json, and checks the bootstrap, the
functions' concurrency, quotas, the stacks and names that a deployment would make, API Gateway's log role, and the policy of
the key of kmsKeyArn. Each line
begins with ok, ask (it would run with less), stop (the deployment would fail) or unknown (these credentials may not read
it). It ends with 1 where there is a stop.

  -c NAME=VALUE       a setting, as for cdk
`;

await runProgram({
  usage,
  options: { context: { type: "string", short: "c", multiple: true } },
  needsArguments: false,
  async run({ values }) {
    const given = (values.context ?? []).map((text) => {
      const [name = "", ...value] = text.split("=");
      return [name, value.join("=")];
    });
    const findings = await checkDeployment(readWanted(Object.fromEntries(given)));
    for (const { kind, sentence } of findings) say(`${kind.padEnd(8)}${sentence}`);
    if (findings.some(({ kind }) => kind === "stop")) process.exitCode = 1;
  },
});
