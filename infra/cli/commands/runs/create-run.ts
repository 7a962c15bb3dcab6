import { readFileInputs } from "../../files/read-file-inputs.ts";
import { downloadOption, watchRun } from "../../follow/watch-run.ts";
import { bodyOf, operationOf } from "../../operations/operation-command.ts";
import { show } from "../../output/show.ts";
import type { Command } from "../../program/command.ts";
import { UsageError } from "../../program/failures.ts";
import { bodyOptionsOf, inputOption, watchOption, withInputs } from "./run-options.ts";

export const createRunCommand: Command = {
  noun: "runs",
  verb: "create",
  summary: "Creates a run of a workflow, and shows how it goes on",
  description: "Without --watch the command ends once the run is made. With it, it is that of runs watch",
  arguments: [{ name: "workflow_id", text: "The workflow's id.", isOptional: true }],
  options: [
    inputOption,
    {
      flags: "--file <path>",
      text: "A file that goes into the run; path=target names its place on the desktop.",
      isRepeatable: true,
    },
    watchOption,
    downloadOption,
    ...bodyOptionsOf("createRun", ["file_inputs"]),
  ],
  examples: [
    "das runs create WORKFLOW_ID --input customer=Miller --watch",
    "das runs create WORKFLOW_ID --file orders.csv=~/Desktop/orders.csv --watch --download results",
  ],
  operations: ["createRun"],
  run: async (context, given) => {
    const { watch, download, file } = given.options;
    if (download !== undefined && watch !== true) {
      throw new UsageError("--download needs --watch: files come out of a run at its end");
    }
    const files = await readFileInputs((file ?? []) as readonly string[], context.folder);
    const { body: fields = [] } = operationOf("createRun");
    const input = withInputs(given, given.words[0] === undefined ? {} : { workflowId: given.words[0] });
    const body = {
      ...(await bodyOf(fields, input, context)),
      ...(files.length === 0 ? {} : { file_inputs: files }),
    };
    const { client } = await context.connect();
    const run = await client.call("createRun", { body: body as never, signal: context.signal });
    if (watch !== true) return void show(context, run, "createRun");
    if (context.form === "table") context.terminal.out(`run ${run.id}\n`);
    return await watchRun(context, run.id, download);
  },
};
