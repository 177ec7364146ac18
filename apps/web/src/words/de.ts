import type { Words } from "./en.ts";

export const words: Words = {
  language: { tag: "de", name: "Deutsch", direction: "ltr" },
  product: "Petstore",
  statuses: { available: "Verfügbar", pending: "Reserviert", sold: "Vermittelt" },
  allStatuses: "Alle",
  fields: { id: "Id", name: "Name", categoryId: "Kategorie", status: "Status" },
  actions: {
    add: "Tiere hinzufügen",
    close: "Schließen",
    copy: "Kopieren",
    copied: "Kopiert",
    loadMore: "Mehr laden",
    refresh: "Neu laden",
    retry: "Nochmal versuchen",
    signIn: "Anmelden",
    signOut: "Abmelden",
    useAnotherKey: "Anderen Schlüssel verwenden",
  },
  list: {
    label: (status) => `Tiere: ${status}`,
    count: (count, isComplete) =>
      isComplete ? (count === "1" ? "1 Tier" : `${count} Tiere`) : `bisher ${count} Tiere`,
    category: (id) => `Kategorie ${id}`,
    loading: "Tiere werden geladen …",
    loadingMore: "Weitere werden geladen …",
    slow: "Der Dienst ist langsam. Es wird noch geladen …",
    retrying: (seconds) => `Noch keine Antwort. Nächster Versuch in ${seconds} s.`,
    newAnimals: (count) => (count === "1" ? "1 neues Tier" : `${count} neue Tiere`),
    looking: (id) => `Tier ${id} wird gesucht …`,
    end: "Das sind alle Tiere.",
    empty: {
      available: "Kein Tier ist verfügbar.",
      pending: "Kein Tier ist reserviert.",
      sold: "Noch kein Tier ist vermittelt.",
      all: "Es gibt noch keine Tiere.",
    },
    emptyAdvice: "Neue Tiere erscheinen hier nach wenigen Sekunden.",
  },
  pet: {
    copyId: "Id kopieren",
    copyLink: "Link kopieren",
    missing: (id) => `Hier gibt es kein Tier ${id}`,
    missingAdvice: "Vielleicht hat es jetzt einen anderen Status, oder es wurde entfernt.",
    lookInAll: "In allen Tieren suchen",
  },
  account: {
    menu: "Konto und Einstellungen",
    access: (canAdd) => (canAdd ? "Ihr Schlüssel kann Tiere lesen und hinzufügen." : "Ihr Schlüssel kann nur lesen."),
    keptForTab: "Er bleibt gespeichert, bis Sie diesen Tab schließen.",
    keptOnDevice: "Er bleibt auf diesem Gerät gespeichert, bis Sie sich abmelden.",
    language: "Sprache",
    reference: "API-Referenz",
  },
  signIn: {
    title: "Bei der Tiervermittlung anmelden",
    lead: "Sehen Sie, welche Tiere verfügbar, reserviert und vermittelt sind, und fügen Sie neue hinzu.",
    key: "API-Schlüssel",
    keyAdvice: "Er beginnt mit pst_. Sie bekommen ihn vom Betreiber dieses Dienstes.",
    remember: "Auf diesem Gerät merken",
    rememberWarning:
      "Wer diesen Browser benutzt, kann dann den Katalog lesen und Ihren Schlüssel verwenden. Wählen Sie das nur auf Ihrem eigenen Gerät.",
    checking: "Der Schlüssel wird geprüft …",
    keyMissing: "Geben Sie einen API-Schlüssel ein.",
    keyForm: "Ein API-Schlüssel hat keine Leerzeichen, Anführungszeichen oder Umlaute.",
  },
  problems: {
    offline: { what: "Sie sind offline", todo: "Prüfen Sie Ihre Verbindung. Sobald Sie online sind, geht es weiter." },
    unreachable: { what: "Der Dienst antwortet nicht", todo: "Vielleicht startet er neu. Es wird weiter versucht." },
    slow: { what: "Der Dienst hat zu lange gebraucht", todo: "Es wird weiter versucht." },
    keyRejected: {
      what: "Ihr Schlüssel funktioniert nicht mehr",
      todo: "Er ist falsch, abgelaufen oder gesperrt. Melden Sie sich mit einem anderen an.",
    },
    keyUnknown: {
      what: "Dieser Schlüssel funktioniert nicht",
      todo: "Prüfen Sie, ob Sie ihn ganz kopiert haben. Er kann auch abgelaufen oder gesperrt sein.",
    },
    notAllowed: {
      what: "Ihr Schlüssel darf das nicht",
      todo: "Bitten Sie den Betreiber um einen Schlüssel mit diesem Recht, oder verwenden Sie einen anderen.",
    },
    limited: {
      what: "Zu viele Anfragen",
      todo: "Ihr Schlüssel hat sein Limit erreicht. Es geht weiter, sobald er darf.",
    },
    busy: { what: "Der Dienst ist überlastet", todo: "Es wird weiter versucht." },
    rejected: {
      what: "Der Dienst hat die Anfrage abgelehnt",
      todo: "Laden Sie die Seite neu. Hilft das nicht, fragen Sie den Betreiber.",
    },
    failed: {
      what: "Im Dienst ist ein Fehler aufgetreten",
      todo: "Versuchen Sie es noch einmal. Bleibt der Fehler, nennen Sie dem Betreiber die Anfrage-Id.",
    },
    broken: {
      what: "Die Antwort ist unverständlich",
      todo: "Laden Sie die Seite neu. Vielleicht läuft schon eine neuere Version.",
    },
  },
  requestId: "Anfrage-Id",
  nextAttempt: (seconds) => `Nächster Versuch in ${seconds} s`,
};
