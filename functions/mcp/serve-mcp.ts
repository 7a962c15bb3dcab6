import {
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

export type ServeMcp = (request: Request) => Promise<Response>;

export interface ServeMcpOptions {
  /** Called for each message: nothing is kept between two. */
  readonly createServer: () => McpServer;
  readonly messageBytesMax: number;
}

/**
 * Serves one message of either version: the gateway hands on whole responses, so that nothing is streamed.
 *
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 */
export function serveMcp({ createServer, messageBytesMax }: ServeMcpOptions): ServeMcp {
  const current = createMcpHandler(createServer, {
    legacy: "reject",
    maxRequestBodySize: messageBytesMax,
    // A stream of changes would hold an instance of the function as long as it is open.
    maxSubscriptions: 0,
  });
  return async (request) =>
    (await isLegacyRequest(request, undefined, { maxRequestBodySize: messageBytesMax }))
      ? await serveEarlier(createServer(), request)
      : await current.fetch(request);
}

/** The SDK's own fallback for 2025-11-25 would send an event stream. */
async function serveEarlier(server: McpServer, request: Request): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request);
  } finally {
    await server.close();
  }
}
