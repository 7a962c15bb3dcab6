import * as z from "zod";
import {
  tunnelInFlightMax,
  tunnelMessageBytesMax,
  tunnelPartsMax,
  tunnelProtocol,
} from "../../shared/contract/tunnel.ts";
import { type EventMessage, eventMessages } from "./event-messages.ts";
import { type LiveChannelMessage, liveMessages } from "./live-messages.ts";
import { type TunnelMessage, tunnelMessages } from "./tunnel-messages.ts";

type Json = Readonly<Record<string, unknown>>;

const description = `
One long-lived outbound WebSocket per machine. The service asks, the driver answers: HTTP over WebSocket.

Messages are JSON text, one object each, of at most ${tunnelMessageBytesMax.toLocaleString("en-US")} bytes; binary
frames close the connection. Unknown fields are ignored; an unknown \`type\` gets an \`error\`, which is never
answered itself. A frame without \`type\` comes from API Gateway and is not answered either. Bodies are base64, in at
most ${tunnelPartsMax} parts; larger ones go through presigned addresses. At most ${tunnelInFlightMax} requests are
in flight. The newest connection of a machine wins.

The handshake is refused with 401 (bad credentials), 403 (none, or the machine is bound to another key), 400 (malformed
fingerprint), 409 (\`X-Keepalive-For\`) or 429 (more than 10 connects a minute for one machine, or as many connections
open as one key may have: 1,000 unless the deployment says otherwise).
`.trim();

const liveDescription = `
A page that shows machines and runs hears over the same WebSocket API what to read anew. \`POST /v1/live-tickets\` of the HTTP
API returns the address to open, once. Hints have ids, revisions and statuses, never the data. Of one resource there is at
most one a second, in the order of \`revision\`, and the last one has the last state. A handshake is refused with 401 (the
ticket is used, expired or unknown) or 429 (the organization has 100 viewers). What only a driver sends ends the connection.
`.trim();

const eventsDescription = `
Events are changes of runs, machines and schedules, on the deployment's own EventBridge bus. The payload is what EventBridge delivers in
\`detail\`; the message's name is its \`detail-type\`, its \`source\` is \`desktop-automation-service\`. Each event comes
at least once and in no order: who has seen an \`event_id\` drops it, and of two events about one run or machine the one
with the greater \`revision\` is the later. Fields and types may be added.
`.trim();

const shortHeader = (about: string): Json => ({
  type: "string",
  maxLength: 255,
  pattern: "^[\\x20-\\x7e]*$",
  description: about,
});

const handshakeHeaders: Json = {
  type: "object",
  required: ["Authorization", "X-Machine-Fingerprint"],
  properties: {
    Authorization: {
      type: "string",
      description: "`Bearer <machine API key>`, or `Ticket <ticket>` from authorize-connection.",
    },
    "X-Machine-Fingerprint": {
      type: "string",
      format: "uuid",
      description: "UUID of the installation. Organization and fingerprint are the machine.",
    },
    "X-Machine-Secret": shortHeader("The machine's own secret, once a welcome has given one."),
    "X-Driver-Version": shortHeader("Version of the driver."),
    "X-Machine-Hostname": shortHeader("The machine's name in its network."),
    "X-Machine-Name": shortHeader("Name of a machine that is made by this connection."),
    "X-Remote-Peer-Id": shortHeader("The peer that a ticket was given to."),
    "X-Keepalive-For": shortHeader("Id of the machine that this one keeps alive."),
  },
};

const webSocketVariables: Json = {
  host: { description: "API Gateway's, or the deployment's own WebSocket host name." },
  stage: { description: "The stage of API Gateway; empty at a host name of the deployment's own." },
};

const liveQuery: Json = {
  type: "object",
  required: ["ticket"],
  properties: { ticket: { type: "string", description: "The ticket of `POST /v1/live-tickets`." } },
};

export function asyncApiDocument(): Json {
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Desktop Automation Service: the driver tunnel, the live channel and the events",
      version: `${tunnelProtocol}.0.0`,
      description,
      license: { name: "Apache-2.0" },
    },
    defaultContentType: "application/json",
    servers: {
      tunnel: {
        host: "{host}",
        pathname: "/{stage}",
        protocol: "wss",
        description: "`authorize-connection` of the HTTP API returns the address in `tunnel.url`.",
        variables: webSocketVariables,
        security: [
          { $ref: "#/components/securitySchemes/machineKey" },
          { $ref: "#/components/securitySchemes/ticket" },
        ],
      },
      live: {
        host: "{host}",
        pathname: "/{stage}",
        protocol: "wss",
        description: "`POST /v1/live-tickets` of the HTTP API returns the address in `url`, with its ticket.",
        variables: webSocketVariables,
        security: [{ $ref: "#/components/securitySchemes/liveTicket" }],
      },
      events: {
        host: "events.{region}.amazonaws.com",
        protocol: "eventbridge",
        description: "Rules on the bus say who gets what; the customer makes them.",
        variables: { region: { description: "The Region of the deployment." } },
      },
    },
    channels: {
      tunnel: {
        address: "/",
        title: "The tunnel",
        description: "All messages of one connection, in both directions.",
        servers: [{ $ref: "#/servers/tunnel" }],
        messages: Object.fromEntries(tunnelMessages.map(({ name }) => [name, componentRef(name)])),
        bindings: { ws: { method: "GET", headers: handshakeHeaders, bindingVersion: "0.1.0" } },
      },
      live: {
        address: "/",
        title: "The live channel",
        description: liveDescription,
        servers: [{ $ref: "#/servers/live" }],
        messages: Object.fromEntries(liveMessages.map(({ name }) => [name, componentRef(name)])),
        bindings: { ws: { method: "GET", query: liveQuery, bindingVersion: "0.1.0" } },
      },
      events: {
        address: "das-{deployment}",
        title: "The event bus",
        description: eventsDescription,
        servers: [{ $ref: "#/servers/events" }],
        parameters: { deployment: { description: "The deployment's name.", default: "main" } },
        messages: Object.fromEntries(eventMessages.map(({ name }) => [name, componentRef(name)])),
      },
    },
    operations: {
      ...Object.fromEntries(tunnelMessages.flatMap(operationsOf)),
      ...Object.fromEntries(liveMessages.map(liveOperation)),
      publishEvents: {
        action: "send",
        channel: { $ref: "#/channels/events" },
        summary: "Publishes a change of a run or a machine.",
        messages: eventMessages.map(({ name }) => ({ $ref: `#/channels/events/messages/${name}` })),
      },
    },
    components: {
      messages: Object.fromEntries([
        ...tunnelMessages.map((message) => [message.name, messageObject(message)]),
        ...liveMessages.map((message) => [message.name, messageObject(message)]),
        ...eventMessages.map((message) => [message.name, eventObject(message)]),
      ]),
      securitySchemes: {
        machineKey: { type: "http", scheme: "bearer", description: "An API key with the scope `driver`." },
        ticket: {
          type: "httpApiKey",
          in: "header",
          name: "Authorization",
          description: "`Ticket <ticket>`: single use, good for 60 seconds.",
        },
        liveTicket: {
          type: "httpApiKey",
          in: "query",
          name: "ticket",
          description: "The ticket of `POST /v1/live-tickets`: single use, good for 60 seconds.",
        },
      },
    },
  };
}

function operationsOf(message: TunnelMessage): [string, Json][] {
  const made: [string, Json][] = [];
  const title = message.name.charAt(0).toUpperCase() + message.name.slice(1);
  if (message.from !== "service") made.push([`receive${title}`, operationObject(message, "receive")]);
  if (message.from !== "driver") made.push([`send${title}`, operationObject(message, "send")]);
  return made;
}

function liveOperation(message: LiveChannelMessage): [string, Json] {
  const action = message.from === "viewer" ? "receive" : "send";
  const words = message.name.split(".").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return [`${action}Live${words.join("")}`, operationObject(message, action, "live")];
}

function operationObject(
  { name, summary, answeredBy }: Pick<TunnelMessage, "name" | "summary" | "answeredBy">,
  action: "send" | "receive",
  channelName: "tunnel" | "live" = "tunnel",
): Json {
  const channel = { $ref: `#/channels/${channelName}` };
  const refOf = (message: string) => ({ $ref: `#/channels/${channelName}/messages/${message}` });
  return {
    action,
    channel,
    summary,
    messages: [refOf(name)],
    ...(answeredBy === undefined ? {} : { reply: { channel, messages: [refOf(answeredBy)] } }),
  };
}

function messageObject({
  name,
  summary,
  description: text,
  schema,
  example,
}: Omit<TunnelMessage, "from">): Json {
  return {
    name,
    title: name,
    summary,
    ...(text === undefined ? {} : { description: text }),
    contentType: "application/json",
    ...(name === "request" || name === "response" || name === "received"
      ? { correlationId: { location: "$message.payload#/id", description: "The id of the request." } }
      : {}),
    payload: payloadOf(schema),
    examples: [{ name: "example", payload: example }],
  };
}

function eventObject({ name, summary, schema, example }: EventMessage): Json {
  // Fields may be added, so consumers ignore unknown ones.
  const { additionalProperties: _closed, ...payload } = payloadOf(schema);
  return {
    name,
    title: name,
    summary,
    contentType: "application/json",
    payload,
    examples: [{ name: "example", payload: example }],
  };
}

/** Receivers ignore unknown fields. AsyncAPI's own dialect is JSON Schema's draft 7. */
function payloadOf(schema: z.ZodType): Json {
  const { $schema: _dialect, ...payload } = z.toJSONSchema(schema, {
    io: "input",
    target: "draft-7",
    // These formats are zod's own; a pattern and `contentEncoding` say the same.
    override: ({ jsonSchema }) => {
      if (jsonSchema.format === "starts_with" || jsonSchema.format === "base64") delete jsonSchema.format;
    },
  });
  return payload;
}

function componentRef(name: string): Json {
  return { $ref: `#/components/messages/${name}` };
}
