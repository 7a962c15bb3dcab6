import * as z from "zod";
import {
  tunnelInFlightMax,
  tunnelMessageBytesMax,
  tunnelPartsMax,
  tunnelProtocol,
} from "../../shared/contract/tunnel.ts";
import { type EventMessage, eventMessages } from "./event-messages.ts";
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

const eventsDescription = `
Events are changes of runs and machines, on the deployment's own EventBridge bus. The payload is what EventBridge delivers in
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

export function asyncApiDocument(): Json {
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Desktop Automation Service: the driver tunnel and the events",
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
        variables: {
          host: { description: "API Gateway's, or the deployment's own WebSocket host name." },
          stage: { description: "The stage of API Gateway; empty at a host name of the deployment's own." },
        },
        security: [
          { $ref: "#/components/securitySchemes/machineKey" },
          { $ref: "#/components/securitySchemes/ticket" },
        ],
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

function operationObject({ name, summary, answeredBy }: TunnelMessage, action: "send" | "receive"): Json {
  const channel = { $ref: "#/channels/tunnel" };
  return {
    action,
    channel,
    summary,
    messages: [messageRef(name)],
    ...(answeredBy === undefined ? {} : { reply: { channel, messages: [messageRef(answeredBy)] } }),
  };
}

function messageObject({ name, summary, description: text, schema, example }: TunnelMessage): Json {
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

function messageRef(name: string): Json {
  return { $ref: `#/channels/tunnel/messages/${name}` };
}
