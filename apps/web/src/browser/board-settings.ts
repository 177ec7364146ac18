import { boardSettingsName, type BoardSettings } from "@petstore/contract/board";

/** What the server wrote into the page. */
export const settings = JSON.parse(
  document.querySelector<HTMLMetaElement>(`meta[name=${boardSettingsName}]`)?.content ?? "",
) as BoardSettings;
