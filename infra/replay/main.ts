import { LambdaClient } from "@aws-sdk/client-lambda";
import { SQSClient } from "@aws-sdk/client-sqs";
import { runProgram, say } from "../operator/run-program.ts";
import { replayQueue } from "./replay-queue.ts";

const usage = `Sends to a function again what the projector or the matcher has set aside, or what webhook-sender could not begin.

  npm run replay -- --queue URL --function NAME

Do it once the cause is repaired (infra/RUNBOOK.md, "Stream failures", "Webhook dead letters"): what succeeds leaves the queue, what fails again
stays there. It may be done twice: events keep their ids, and all other work is done once.

  --queue URL         the output ProjectionsFailuresQueueUrl, MatchesFailuresQueueUrl or
                      webhookdelivererDeadLettersQueueUrl of the service stack
  --function NAME     the output ProjectionsFunctionName, MatchesFunctionName or webhooksenderFunctionName
  --region REGION     the Region; AWS_REGION otherwise
`;

await runProgram({
  usage,
  options: { queue: { type: "string" }, function: { type: "string" }, region: { type: "string" } },
  async run({ values }) {
    const { queue: queueUrl = "", function: functionName = "", region } = values;
    if (queueUrl === "" || functionName === "")
      throw new Error("--queue and --function say what is sent to whom");
    const settings = region === undefined ? {} : { region };
    const [sqs, lambda] = [new SQSClient(settings), new LambdaClient(settings)];
    try {
      const { done, failed, notes } = await replayQueue({ sqs, lambda, queueUrl, functionName });
      say(`${done} done, ${failed} failed again, ${notes.length} left that cannot be sent again`);
      for (const note of notes) say(note);
      if (failed > 0) process.exitCode = 1;
    } finally {
      sqs.destroy();
      lambda.destroy();
    }
  },
});
