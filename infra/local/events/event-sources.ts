import type { AwsEndpoint } from "../aws/aws-endpoint.ts";
import { type LocalStreams, registerRole } from "../aws-resources.ts";
import type { LambdaService } from "../lambda/lambda-service.ts";
import type { Application } from "../template/application.ts";
import { createCheckpoints } from "./checkpoints.ts";
import { StreamClient } from "./stream-client.ts";
import { StreamEventSource } from "./stream-event-source.ts";

export type EventSourcesInput = {
  readonly app: Application;
  readonly aws: AwsEndpoint;
  readonly lambda: LambdaService;
  readonly streams: LocalStreams;
  /** Without a file, checkpoints end with the stack. */
  readonly checkpointFile: string | undefined;
  readonly report: (problem: string) => void;
};

/** Each stream is read with its function's role, as Lambda does, so a missing grant fails here, too. */
export function createEventSources(input: EventSourcesInput): readonly StreamEventSource[] {
  const { app, aws, lambda, report } = input;
  const checkpoints = createCheckpoints(input.checkpointFile);
  return app.eventSources.flatMap((source) => {
    const fn = app.functions.find(({ address }) => address === source.functionAddress);
    const localStreamArn = input.streams.get(source.sourceArn);
    if (fn === undefined || localStreamArn === undefined) {
      report(`${source.address} reads ${source.sourceArn}, which no table of the template has`);
      return [];
    }
    const credentials = registerRole(aws, fn, input.streams, `${fn.shortName} event source`);
    const eventSource = new StreamEventSource({
      source,
      localStreamArn,
      functionArn: fn.arn,
      region: fn.region,
      client: new StreamClient({ endpointUrl: aws.url, region: fn.region, credentials }),
      invoke: (event) => lambda.invoke(fn.address, event),
      sendToQueue: (arn, body) => void aws.sendMessage(arn.slice(arn.lastIndexOf(":") + 1), body),
      checkpoints,
      report,
    });
    aws.onTableWrite(() => eventSource.wake());
    return [eventSource];
  });
}
