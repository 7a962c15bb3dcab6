import { type ApiClient, type ApiClientOptions, createApiClient } from "../../../shared/client/api-client.ts";

export interface DemoApi {
  readonly baseUrl: string;
  readonly apiKey: string;
}

export function demoClient(
  { baseUrl, apiKey: credentials }: DemoApi,
  options: Pick<ApiClientOptions, "attemptsMax"> = {},
): ApiClient {
  return createApiClient({ baseUrl, credentials, ...options });
}
