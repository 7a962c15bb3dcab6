import { useTable } from "../../support/dynamo-stores.ts";
import { matchingSuite } from "../../support/matching/matching.suite.ts";

matchingSuite(useTable());
