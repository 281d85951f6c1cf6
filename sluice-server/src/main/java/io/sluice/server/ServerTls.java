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

/** The TLS certificate and private key of all ports, or no TLS. */
final class ServerTls {
    private static final Set<String> VERSIONS = Set.of("TLSv1.2", "TLSv1.3");

    private final @Nullable PemKeyCertOptions pem;

    private ServerTls(@Nullable PemKeyCertOptions pem) {
        this.pem = pem;
    }

    /**
     * Reads the certificate and the key.
     *
     * @throws SettingException if one of the files cannot be used, or the key does not belong to the certificate
     */
    static ServerTls load(ServerConfig config, Vertx vertx) {
        Path certificate = config.tlsCertificate();
        Path key = config.tlsKey();
        if (certificate == null || key == null) {
            return new ServerTls(null);
        }
        Buffer certificates = read("tls-cert", certificate);
        Buffer keys = read("tls-key", key);
        requireCertificate(certificate, certificates);
        PemKeyCertOptions pem =
                new PemKeyCertOptions().addCertValue(certificates).addKeyValue(keys);
        PrivateKey privateKey;
        Certificate leaf;
        try {
            String alias = pem.loadKeyStore(vertx).aliases().nextElement();
            X509KeyManager keyring =
                    (X509KeyManager) pem.getKeyManagerFactory(vertx).getKeyManagers()[0];
            privateKey = keyring.getPrivateKey(alias);
            leaf = keyring.getCertificateChain(alias)[0];
        } catch (Exception e) {
            throw new SettingException("tls-key " + key + ": cannot be read, or is not the key of " + certificate
                    + " (expected: the private key of the certificate, in PEM, without a password)");
        }
        if (!belongTogether(privateKey, leaf.getPublicKey())) {
            throw new SettingException("tls-key " + key + ": is not the key of " + certificate
                    + " (expected: the private key of the certificate)");
        }
        return new ServerTls(pem);
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

    /** Whether the public key verifies a signature of the private key. */
    private static boolean belongTogether(PrivateKey privateKey, PublicKey publicKey) {
        String algorithm = switch (privateKey.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> privateKey.getAlgorithm();
        };
        try {
            byte[] message = {1, 2, 3};
            Signature signer = Signature.getInstance(algorithm);
            signer.initSign(privateKey);
            signer.update(message);
            byte[] signature = signer.sign();
            Signature verifier = Signature.getInstance(algorithm);
            verifier.initVerify(publicKey);
            verifier.update(message);
            return verifier.verify(signature);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    boolean isEnabled() {
        return pem != null;
    }

    /** Enables TLS on a port, if there is a certificate. */
    void apply(NetServerOptions listener) {
        if (pem != null) {
            // ALPN lets clients choose HTTP/2 in the TLS handshake.
            listener.setUseAlpn(listener instanceof HttpServerOptions);
            listener.setSsl(true).setKeyCertOptions(pem).setEnabledSecureTransportProtocols(VERSIONS);
        }
    }
}
