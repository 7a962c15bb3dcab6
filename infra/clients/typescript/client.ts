import { type ApiClient, type ApiClientOptions, createApiClient } from "../../../shared/client/api-client.ts";
import type { CallArguments, PagedOperationId, PageItem } from "../../../shared/client/call-types.ts";
import { eachPage } from "../../../shared/client/each-page.ts";
import { calledOperations } from "../../../shared/contract/operations/called-operations.ts";
import { type FilesClient, filesClient } from "./files.ts";

export interface Client extends ApiClient {
  readonly files: FilesClient;
  /**
   * The items of a list, page by page, until you stop or it ends. `limit` in the query is the size of a page.
   *
   * @throws {ApiError} @throws {ApiUnreachable}
   */
  each<const Id extends PagedOperationId>(id: Id, ...args: CallArguments<Id>): AsyncGenerator<PageItem<Id>>;
}

interface PagedInput {
  readonly query?: { readonly limit?: number; readonly skip?: number };
}

const pageItemsPreset = 100;

export function createClient(options: ApiClientOptions): Client {
  if (!URL.canParse(options.baseUrl)) throw new TypeError(`baseUrl is no address: ${options.baseUrl}`);
  const api = createApiClient(options);
  // The input's type follows from the id, which is known only where it is called.
  const callAny = api.call as (id: string, input: object) => Promise<unknown>;

  async function* each(id: string, input: PagedInput = {}): AsyncGenerator<unknown> {
    const { limit, skip = 0, ...query } = input.query ?? {};
    const pages = calledOperations[id]?.pages ?? "skip";
    const call = async (paging: object) => await callAny(id, { ...input, query: { ...query, ...paging } });
    for await (const { items } of eachPage(call, { pages, skip, pageItems: limit ?? pageItemsPreset })) {
      yield* items;
    }
  }
  return { ...api, files: filesClient(api, options), each: each as Client["each"] };
}

export type { ApiClient, ApiClientOptions } from "../../../shared/client/api-client.ts";
export { ApiError, ApiUnreachable } from "../../../shared/client/api-error.ts";
export type {
  CallArguments,
  CallResponse,
  OperationId,
  PagedOperationId,
  PageItem,
} from "../../../shared/client/call-types.ts";
export type { FilesClient, NewFile, TransferOptions } from "./files.ts";
