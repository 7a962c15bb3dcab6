import * as z from "zod";

export const OpenApiDocument = z
  .looseObject({
    openapi: z
      .literal("3.1.0")
      .describe("The version of the OpenAPI specification that the document is written in."),
  })
  .describe("This document: the OpenAPI description of the HTTP API.");
export const AsyncApiDocument = z
  .looseObject({
    asyncapi: z
      .literal("3.0.0")
      .describe("The version of the AsyncAPI specification that the document is written in."),
  })
  .describe("The AsyncAPI description of the driver's tunnel and of the events.");
