import type { PetStatus } from "@petstore/client";

/** Every text of the board. Another language is a file like this one, beside it. */
export const words = {
  language: { tag: "en", name: "English", direction: "ltr" as "ltr" | "rtl" },
  product: "Petstore",
  statuses: { available: "Available", pending: "Pending", sold: "Sold" } satisfies Record<PetStatus, string>,
  allStatuses: "All",
  fields: { id: "Id", name: "Name", categoryId: "Category", status: "Status" },
  actions: {
    add: "Add animals",
    close: "Close",
    copy: "Copy",
    copied: "Copied",
    loadMore: "Load more",
    refresh: "Refresh",
    retry: "Try again",
    stop: "Stop",
    signIn: "Sign in",
    signOut: "Sign out",
    useAnotherKey: "Use another key",
  },
  list: {
    label: (status: string) => `Animals: ${status}`,
    count: (count: string, isComplete: boolean): string =>
      isComplete ? (count === "1" ? "1 animal" : `${count} animals`) : `${count} animals so far`,
    category: (id: string) => `Category ${id}`,
    loading: "Loading animals…",
    loadingMore: "Loading more…",
    slow: "The service is slow. Still loading…",
    retrying: (seconds: string) => `No response yet. Next attempt in ${seconds} s.`,
    newAnimals: (count: string): string => (count === "1" ? "1 new animal" : `${count} new animals`),
    looking: (id: string) => `Looking for animal ${id}…`,
    newest: "Newest",
    end: "That is every animal here.",
    endAdvice: "New ones appear on their own. Refresh to see changes.",
    empty: {
      available: "No animal is available.",
      pending: "No adoption is pending.",
      sold: "No animal is sold yet.",
      all: "There are no animals yet.",
    } satisfies Record<PetStatus | "all", string>,
    emptyAdvice: "New animals appear here within seconds.",
  },
  pet: {
    copyId: "Copy id",
    copyLink: "Copy link",
    missing: (id: string) => `There is no animal ${id} here`,
    missingAdvice: "It may have another status now, or it was removed.",
    lookInAll: "Look in all animals",
  },
  account: {
    menu: "Account and settings",
    access: (canAdd: boolean): string => (canAdd ? "Your key can read and add animals." : "Your key can only read."),
    keptForTab: "It is kept until you close this tab.",
    keptOnDevice: "It is kept on this device until you sign out.",
    language: "Language",
    reference: "API reference",
  },
  signIn: {
    title: "Sign in to the adoption board",
    lead: "See which animals are available, pending and sold, and add new ones.",
    key: "API key",
    keyAdvice: "It starts with pst_. The operator of this service issues it.",
    remember: "Remember on this device",
    rememberWarning:
      "Anyone who uses this browser can then read the catalogue and use your key. Choose it only on your own device.",
    checking: "Checking the key…",
    later: "Try again in a moment.",
    keyMissing: "Enter an API key.",
    keyForm: "An API key has no spaces, quotes or letters with accents.",
  },
  problems: {
    offline: { what: "You are offline", todo: "Check your connection. The board continues when you are back online." },
    unreachable: { what: "The service does not respond", todo: "It may be restarting. The board keeps trying." },
    slow: { what: "The service took too long", todo: "The board keeps trying." },
    keyRejected: {
      what: "Your key no longer works",
      todo: "It is wrong, expired or revoked. Sign in with another key.",
    },
    keyUnknown: {
      what: "This key does not work",
      todo: "Check that you copied all of it. It may also be expired or revoked.",
    },
    notAllowed: {
      what: "Your key must not do this",
      todo: "Ask the operator for a key with the permission, or use another key.",
    },
    limited: { what: "Too many requests", todo: "Your key has reached its limit. The board continues when it may." },
    busy: { what: "The service is busy", todo: "The board keeps trying." },
    rejected: {
      what: "The service rejected the request",
      todo: "Load the page again. If that does not help, ask the operator.",
    },
    failed: { what: "The service failed", todo: "Try again. If it happens again, give the operator the request id." },
    broken: {
      what: "The board does not understand the response",
      todo: "Load the page again. A newer version may be running.",
    },
  },
  requestId: "Request id",
  nextAttempt: (seconds: string) => `Next attempt in ${seconds} s`,
};

export type Words = typeof words;
