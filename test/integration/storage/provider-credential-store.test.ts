import { DynamoProviderCredentialStore } from "../../../shared/storage/provider/dynamo-provider-credential-store.ts";
import { useTable } from "../../support/dynamo-stores.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { providerCredentialStoreSuite } from "../../support/ports/provider-credential-store.suite.ts";

const table = useTable();

providerCredentialStoreSuite(() => {
  const clock = new FakeClock();
  return new DynamoProviderCredentialStore({ table: table().at(clock), clock });
});
