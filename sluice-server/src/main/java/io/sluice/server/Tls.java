package io.sluice.server;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Set;
import javax.net.ssl.X509KeyManager;
import org.jspecify.annotations.Nullable;

/** The certificate that every listener shows, and its key; or none. */
public final class Tls {
    private static final Set<String> VERSIONS = Set.of("TLSv1.2", "TLSv1.3");

    private final @Nullable PemKeyCertOptions pem;

    private Tls(@Nullable PemKeyCertOptions pem) {
        this.pem = pem;
    }

    /**
     * Reads both files.
     *
     * @throws SettingException if one cannot be used, or the key is not the certificate's
     */
    static Tls by(ServerConfig config, Vertx vertx) {
        Path certificate = config.tlsCertificate();
        Path key = config.tlsKey();
        if (certificate == null || key == null) {
            return new Tls(null);
        }
        Buffer certificates = read("tls-cert", certificate);
        Buffer keys = read("tls-key", key);
        requireCertificate(certificate, certificates);
        PemKeyCertOptions pem =
                new PemKeyCertOptions().addCertValue(certificates).addKeyValue(keys);
        PrivateKey secret;
        Certificate shown;
        try {
            String alias = pem.loadKeyStore(vertx).aliases().nextElement();
            X509KeyManager keyring =
                    (X509KeyManager) pem.getKeyManagerFactory(vertx).getKeyManagers()[0];
            secret = keyring.getPrivateKey(alias);
            shown = keyring.getCertificateChain(alias)[0];
        } catch (Exception e) {
            throw new SettingException("tls-key " + key + ": is no key that can be read, or not the one of "
                    + certificate + " (expected: the certificate's own, in PEM, without a password)");
        }
        if (!belong(secret, shown.getPublicKey())) {
            throw new SettingException(
                    "tls-key " + key + ": is not the key of " + certificate + " (expected: the certificate's own)");
        }
        return new Tls(pem);
    }

    private static Buffer read(String setting, Path file) {
        try {
            return Buffer.buffer(Files.readAllBytes(file));
        } catch (IOException e) {
            String reason = e instanceof NoSuchFileException
                    ? "no such file"
                    : e instanceof AccessDeniedException ? "permission denied" : e.getMessage();
            throw new SettingException(setting + " " + file + ": " + reason + " (expected: a file in PEM)");
        }
    }

    private static void requireCertificate(Path file, Buffer pem) {
        try {
            CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem.getBytes()));
        } catch (CertificateException e) {
            throw new SettingException("tls-cert " + file + ": cannot be read (expected: a certificate in PEM)");
        }
    }

    /** What the one signs, the other must recognise. */
    private static boolean belong(PrivateKey secret, PublicKey shown) {
        String algorithm = switch (secret.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> secret.getAlgorithm();
        };
        try {
            byte[] anything = {1, 2, 3};
            Signature signer = Signature.getInstance(algorithm);
            signer.initSign(secret);
            signer.update(anything);
            byte[] signature = signer.sign();
            Signature verifier = Signature.getInstance(algorithm);
            verifier.initVerify(shown);
            verifier.update(anything);
            return verifier.verify(signature);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    public boolean isOn() {
        return pem != null;
    }

    /** Has a listener speak TLS, if there is a certificate. */
    public void apply(NetServerOptions listener) {
        if (pem != null) {
            // Clients choose HTTP/2 while they greet.
            listener.setUseAlpn(listener instanceof HttpServerOptions);
            listener.setSsl(true).setKeyCertOptions(pem).setEnabledSecureTransportProtocols(VERSIONS);
        }
    }
}
