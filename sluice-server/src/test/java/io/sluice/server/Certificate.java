package io.sluice.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A self-signed certificate for 127.0.0.1 and its key, as PEM, made by the keytool of the JDK. */
public record Certificate(Path certificate, Path key, KeyStore store) {
    private static final String PASSWORD = "password";

    /**
     * Creates a certificate.
     *
     * @param algorithm {@code RSA} or {@code EC}
     */
    public static Certificate make(Path directory, String algorithm) {
        try {
            Files.createDirectories(directory);
            Path file = directory.resolve("store.p12");
            Process keytool = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "keytool")
                                    .toString(),
                            "-genkeypair",
                            "-alias",
                            "server",
                            "-keyalg",
                            algorithm,
                            "-dname",
                            "CN=127.0.0.1",
                            "-ext",
                            "SAN=ip:127.0.0.1",
                            "-storetype",
                            "PKCS12",
                            "-storepass",
                            PASSWORD,
                            "-keystore",
                            file.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("keytool.log").toFile())
                    .start();
            if (keytool.waitFor() != 0) {
                throw new IllegalStateException(Files.readString(directory.resolve("keytool.log")));
            }
            KeyStore store = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(file)) {
                store.load(in, PASSWORD.toCharArray());
            }
            return new Certificate(
                    pem(
                            directory.resolve("cert.pem"),
                            "CERTIFICATE",
                            store.getCertificate("server").getEncoded()),
                    pem(
                            directory.resolve("key.pem"),
                            "PRIVATE KEY",
                            store.getKey("server", PASSWORD.toCharArray()).getEncoded()),
                    store);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Path pem(Path file, String kind, byte[] encoded) throws IOException {
        String base64 = Base64.getMimeEncoder().encodeToString(encoded);
        return Files.writeString(file, "-----BEGIN " + kind + "-----\n" + base64 + "\n-----END " + kind + "-----\n");
    }

    /** Trusts this certificate only. */
    public SSLContext trusting() {
        try {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry("server", store.getCertificate("server"));
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, factory.getTrustManagers(), null);
            return context;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
