import { deviceStorage, tabStorage } from "../browser/storage.ts";
import { onSessionEnd } from "../session/session.ts";

/** The item of the storage that has the answers about sheets. */
export const answersItem = "petstore-sheets";

/** Forgets them when a user signs out, whether the form was opened since or not. */
export function forgetAnswersAtSignOut(): void {
  onSessionEnd((reason) => {
    if (reason !== "replaced")
      for (const each of [tabStorage, deviceStorage]) each.remove(answersItem);
  });
}
