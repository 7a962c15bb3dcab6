import { useTable } from "../../support/dynamo-stores.ts";
import { matchRacesSuite } from "../../support/matching/match-races.suite.ts";
import { matchingSuite } from "../../support/matching/matching.suite.ts";

const table = useTable();

matchingSuite(table);
matchRacesSuite(table);
